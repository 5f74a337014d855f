import { formatCounted } from "@bearhug/text/number";

import { type NamedRun, seriesOfSide } from "./comparable.ts";

/** Fewer than this, and the other side may have none by chance. */
const minExpected = 20;

/**
 * Finds requests and checks that only one side had, as if steps of the test were skipped on the other: nothing
 * about them can be compared. Returns a sentence for each kind and side.
 */
export function findOneSided(base: readonly NamedRun[], other: readonly NamedRun[]): string[] {
  return kinds.flatMap((kind) => {
    const [ofBase, ofOther] = [countOf(base, kind), countOf(other, kind)];
    return [
      ...describeMissing(kind, ofBase, ofOther, "in the base, but not on the new side"),
      ...describeMissing(kind, ofOther, ofBase, "on the new side, but not in the base"),
    ];
  });
}

interface Kind {
  readonly metric: string;
  readonly tag: "name" | "check";
  readonly describe: (name: string, more: number) => string;
}

const kinds: readonly Kind[] = [
  {
    metric: "http_reqs",
    tag: "name",
    describe: (name, more) =>
      more === 0 ? `${name} was requested` : `${name} and ${formatCounted(more, "more request")} were sent`,
  },
  {
    metric: "checks",
    tag: "check",
    describe: (name, more) => `The check "${name}"${more === 0 ? "" : ` and ${more} more`} ran`,
  },
];

interface Counts {
  readonly total: number;
  readonly byName: ReadonlyMap<string, number>;
}

function countOf(runs: readonly NamedRun[], { metric, tag }: Kind): Counts {
  const byName = new Map<string, number>();
  let total = 0;
  for (const { tags, values, ...series } of seriesOfSide(runs)) {
    const name = tags[tag];
    if (series.metric !== metric || name === undefined) continue;
    const count = values["count"] ?? (values["passes"] ?? 0) + (values["fails"] ?? 0);
    byName.set(name, (byName.get(name) ?? 0) + count);
    total += count;
  }
  return { total, byName };
}

function describeMissing(kind: Kind, here: Counts, there: Counts, where: string): string[] {
  const missing = [...here.byName].filter(
    ([name, count]) =>
      (there.byName.get(name) ?? 0) === 0 && (count / here.total) * there.total >= minExpected,
  );
  const [first, ...more] = missing.toSorted(([, one], [, two]) => two - one);
  return first === undefined ? [] : [`${kind.describe(first[0], more.length)} ${where}.`];
}
