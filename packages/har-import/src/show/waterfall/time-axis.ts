/** Milliseconds on a line from 0 to 100 %. */
export interface TimeAxis {
  readonly lengthMs: number;
  /** Where to draw a mark, round numbers all of them. */
  readonly ticksMs: readonly number[];
}

const mostTicks = 5;

/** An axis that is long enough for a time, with at most five marks. */
export function timeAxis(lengthMs: number): TimeAxis {
  const least = Math.max(1, lengthMs) / mostTicks;
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const stepMs = [1, 2, 5, 10].map((factor) => factor * magnitude).find((step) => step >= least) ?? least;
  const count = Math.floor(Math.max(1, lengthMs) / stepMs);
  return {
    lengthMs: Math.max(1, lengthMs),
    ticksMs: Array.from({ length: count }, (_, index) => (index + 1) * stepMs),
  };
}

/** Where a moment lies, as SVG and CSS write it: `12.5%`. What lies beyond the ends is put at them. */
export function place({ lengthMs }: TimeAxis, ms: number): string {
  return `${share(ms / lengthMs)}%`;
}

function share(part: number): number {
  return Number((100 * Math.min(1, Math.max(0, part))).toFixed(2));
}
