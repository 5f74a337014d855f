import { sumBy } from "@bearhug/metrics/sum";

/** A part of a view that can shrink to fewer lines. */
export interface Section {
  /** The lines it needs to show everything. */
  readonly wanted: number;
  /** The fewest lines that are still useful. */
  readonly least: number;
  /** If there is no room for all, sections with the lowest number are dropped first. */
  readonly keep: number;
  /** Returns at most this many lines, which are between `least` and `wanted`. */
  readonly render: (lines: number) => readonly string[];
}

/** Returns a section of these lines, of which it needs the first; it wants no more than `most`. */
export function lineSection(lines: readonly string[], keep: number, most: number = lines.length): Section {
  return { wanted: Math.min(most, lines.length), least: 1, keep, render: (count) => lines.slice(0, count) };
}

/**
 * Fits sections into a number of lines: with blank lines between them if there is room, otherwise shorter,
 * otherwise fewer.
 */
export function fitHeight(sections: readonly Section[], height: number): string[] {
  let shown = sections
    .filter(({ wanted }) => wanted > 0)
    .map((section) => ({ section, lines: section.wanted }));
  const total = (): number => sumBy(shown, ({ lines }) => lines);
  const isSpaced = total() + shown.length - 1 <= height;
  while (total() > height) {
    const longest = shown.reduce((best, one) => (spare(one) > spare(best) ? one : best));
    if (spare(longest) > 0) longest.lines -= 1;
    else {
      const leastKept = shown.reduce((least, one) => (one.section.keep < least.section.keep ? one : least));
      shown = shown.filter((one) => one !== leastKept);
    }
  }
  return shown.flatMap(({ section, lines }, index) => [
    ...(isSpaced && index > 0 ? [""] : []),
    ...section.render(lines),
  ]);
}

function spare({ section, lines }: { readonly section: Section; readonly lines: number }): number {
  return lines - section.least;
}
