import { median } from "../statistics.ts";
import type { BenchResults, Figures } from "./results.ts";
import { startCase } from "./cases.ts";
import type { ToolId } from "./tool.ts";

type Figure = "requestsPerSecond" | "cpuUs" | "peakRssMb";

/** A bound on one of bearhug's figures, as a multiple of another tool's, in each of the cases. */
interface Target {
  readonly load: string;
  readonly cases: readonly string[];
  readonly figure: Figure;
  readonly ours: ToolId;
  readonly theirs: ToolId;
  readonly bound: "at least" | "at most";
  readonly factor: number;
}

type Loads = Pick<Target, "load" | "cases">;

const atLeast = (loads: Loads, ours: ToolId, factor: number, theirs: ToolId): Target => ({
  ...loads,
  figure: "requestsPerSecond",
  ours,
  theirs,
  bound: "at least",
  factor,
});

const plain: Loads = { load: "6 bytes", cases: ["plain"] };
const tls: Loads = { load: "6 bytes, TLS", cases: ["tls"] };
const http2: Loads = { load: "6 bytes, HTTP/2", cases: ["h2-64x1", "h2-1x64", "h2-4x16"] };
const fewStreams: Loads = { load: "HTTP/2, 4 × 16", cases: ["h2-4x16"] };
const large: Loads = { load: "16 KB", cases: ["16k"] };
const pages: Loads = {
  load: "a page",
  cases: ["page-800-nginx", "page-1600-nginx", "page-800-caddy", "page-1600-caddy"],
};
const atMost = (loads: Loads, figure: Figure, ours: ToolId, factor: number, theirs: ToolId): Target => ({
  ...loads,
  figure,
  ours,
  theirs,
  bound: "at most",
  factor,
});

const targets: readonly Target[] = [
  atLeast(plain, "bearhug", 0.8, "wrk"),
  atLeast(plain, "bearhug", 1.1, "autocannon"),
  atMost(plain, "cpuUs", "bearhug", 1.25, "sockets"),
  atLeast(plain, "bearhug-script", 0.7, "wrk"),
  atLeast(plain, "bearhug-script", 1, "autocannon"),
  atLeast(plain, "bearhug-script", 9, "k6"),
  atMost(plain, "cpuUs", "bearhug-script", 1.35, "sockets"),
  atLeast(plain, "bearhug-undici", 0.85, "dispatch"),
  atLeast(tls, "bearhug", 0.75, "wrk"),
  atLeast(tls, "bearhug-script", 0.75, "wrk"),
  atLeast(tls, "bearhug-script", 4, "k6"),
  atLeast(http2, "bearhug-script", 0.85, "h2load"),
  atLeast(http2, "bearhug-script", 5, "k6"),
  atLeast(fewStreams, "bearhug-undici", 0.7, "dispatch"),
  atLeast(large, "bearhug", 0.7, "wrk"),
  atLeast(pages, "bearhug-script", 1.1, "k6"),
  atMost(pages, "cpuUs", "bearhug-script", 0.6, "k6"),
  atMost(pages, "peakRssMb", "bearhug-script", 0.6, "k6"),
];

/** A target with its measurements. */
export interface Outcome {
  readonly title: string;
  readonly wanted: string;
  /** One measurement for each of the target's cases, in the order of the results. */
  readonly measured: readonly Measured[];
}

export interface Measured {
  readonly text: string;
  readonly isMet: boolean;
}

const figureNames: Readonly<Record<Figure, string>> = {
  requestsPerSecond: "requests/s",
  cpuUs: "CPU per request",
  peakRssMb: "peak memory",
};

/** Judges every target whose tools were both measured. */
export function judgeTargets(results: BenchResults): Outcome[] {
  return [...targets.flatMap((target) => judge(target, results)), ...judgeStart(results)];
}

function judge(
  { load, cases, figure, ours, theirs, bound, factor }: Target,
  results: BenchResults,
): Outcome[] {
  const measured = results.cases
    .filter(({ name }) => cases.includes(name))
    .flatMap((of): Measured[] => {
      const medians = [ours, theirs].map((id) => {
        const rounds = of.results.find(({ tool }) => tool === id)?.rounds ?? [];
        return median(rounds.map((round: Figures) => round[figure]));
      });
      const [mine = Number.NaN, others = Number.NaN] = medians;
      if (Number.isNaN(mine / others)) return [];
      const ratio = mine / others;
      return [{ text: ratio.toFixed(2), isMet: bound === "at least" ? ratio >= factor : ratio <= factor }];
    });
  if (measured.length === 0) return [];
  const title = `${load}: ${figureNames[figure]} of ${titleOf(ours)}`;
  return [{ title, wanted: `${bound} ${factor} × ${titleOf(theirs)}`, measured }];
}

const titles: Partial<Record<ToolId, string>> = {
  bearhug: "`bearhug <url>`",
  "bearhug-script": "a script",
  "bearhug-undici": "a script, undici",
  sockets: "bare sockets",
  dispatch: "bare dispatch",
};

function titleOf(id: ToolId): string {
  return titles[id] ?? id;
}

const wantedStartMs = 250;

function judgeStart({ firstRequest }: BenchResults): Outcome[] {
  const [ours, theirs] = ["bearhug-script", "k6"].map((id) =>
    median(
      (firstRequest.find(({ tool }) => tool === id)?.rounds ?? []).map(
        ({ firstRequestMs }) => firstRequestMs,
      ),
    ),
  );
  if (ours === undefined || Number.isNaN(ours)) return [];
  const title = `${startCase.title} of a script`;
  const judged = (isMet: boolean): Measured[] => [{ text: `${ours.toFixed(0)} ms`, isMet }];
  return [
    { title, wanted: `within ${wantedStartMs} ms`, measured: judged(ours <= wantedStartMs) },
    ...(theirs === undefined || Number.isNaN(theirs)
      ? []
      : [{ title, wanted: `not after k6's (${theirs.toFixed(0)} ms)`, measured: judged(ours <= theirs) }]),
  ];
}
