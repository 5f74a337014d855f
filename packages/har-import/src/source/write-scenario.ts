import type { CapturedStep, CaptureModel } from "../capture-model.ts";
import { quoteText } from "./quote-text.ts";
import { writeComment } from "./write-comment.ts";

const minuteMs = 60_000;

/** The load of a test: one visitor, once; or so many page loads a second. */
export function writeLoad({ steps }: CaptureModel, pagesPerSecond: number | null): string {
  const lastsMs = steps.reduce((sum, step) => sum + (step.recordedMs ?? 0) + step.thinkAfterMs, 0);
  const minutes = Math.floor(lastsMs / minuteMs);
  if (pagesPerSecond === null) {
    // An iteration that thinks for long must not be cut short by the ten minutes that a scenario may take.
    const bound = minutes < 5 ? "" : `, maxDuration: ${quoteText(`${2 * (minutes + 1)}m`)}`;
    return `executor: "shared-iterations", vus: 1, iterations: 1${bound}`;
  }
  const loads = countLoads(steps);
  const rate = `${pagesPerSecond} page ${pagesPerSecond === 1 ? "load" : "loads"} per second`;
  const comment = `${rate}: each iteration loads ${loads} pages, so ${pagesPerSecond} of them start every ${loads}s. The full rate is reached once the first iterations load their last page.`;
  return [
    `\n${writeComment(loads === 1 ? `${rate}.` : comment)}executor: "constant-arrival-rate"`,
    `rate: ${pagesPerSecond}`,
    `timeUnit: ${quoteText(`${loads}s`)}`,
    `duration: ${quoteText(`${minutes + 1}m`)}`,
  ].join(", ");
}

/** Pages of an iteration; a capture without any has steps that a page's script makes. */
function countLoads(steps: readonly CapturedStep[]): number {
  const pages = steps.filter(({ kind }) => kind === "page").length;
  return pages === 0 ? Math.max(1, steps.length) : pages;
}

/** No page is asked to be faster than a machine under test can tell from its own hiccups. */
const fastestMs = 500;

/** What must hold for the test to pass, as a starting point. */
export function writeThresholds({ steps }: CaptureModel, hasChecks: boolean): string {
  const pages = steps.flatMap(({ kind, name, recordedMs }) => {
    if (kind !== "page" || recordedMs === null || !canBeSelected(name)) return [];
    const bound = Math.max(fastestMs, roundUp(2 * recordedMs));
    return [`${quoteText(`page_duration{page:${name}}`)}: [${quoteText(`p(95)<${bound}ms`)}]`];
  });
  const thresholds = [
    ...(hasChecks ? ['checks: ["rate>99%"]'] : []),
    'http_req_failed: ["rate<1%"]',
    // A visit that ends early, as an answer lacks what was to be taken from it, leaves no trace in the others.
    'iteration_failed: ["rate<1%"]',
    ...pages.map((page, index) =>
      index === 0 ? `\n// Twice the recorded time, as a starting point.\n${page}` : page,
    ),
  ];
  return `{ ${thresholds.join(", ")} }`;
}

/** Whether a name can stand in a threshold's key as it is. */
function canBeSelected(name: string): boolean {
  return /^[^\s\\,{}]+( [^\s\\,{}]+)*$/.test(name);
}

/** Rounded up to two significant digits. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}
