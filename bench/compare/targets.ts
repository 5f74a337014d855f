import { median } from "../statistics.ts";
import type { BenchResults, Figures } from "./results.ts";
import { startCase } from "./cases.ts";
import type { ToolId } from "./tool.ts";

type Figure = "requestsPerSecond" | "cpuUs" | "peakRssMb";

/** One of bearhug's figures as a multiple of another tool's. */
interface Target {
  readonly cases: readonly string[];
  readonly figure: Figure;
  readonly ours: ToolId;
  readonly theirs: ToolId;
  readonly bound: "at least" | "at most";
  readonly factor: number;
}

const atLeast = (cases: readonly string[], ours: ToolId, factor: number, theirs: ToolId): Target => ({
  cases,
  figure: "requestsPerSecond",
  ours,
  theirs,
  bound: "at least",
  factor,
});

const http2 = ["h2-64x1", "h2-1x64", "h2-4x16"];
const pages = ["page-800-nginx", "page-1600-nginx", "page-800-caddy", "page-1600-caddy"];
const atMostOfK6 = {
  cases: pages,
  ours: "bearhug-script",
  theirs: "k6",
  bound: "at most",
  factor: 0.6,
} as const;

const targets: readonly Target[] = [
  atLeast(["plain"], "bearhug", 0.6, "wrk"),
  atLeast(["plain"], "bearhug", 1.1, "autocannon"),
  atLeast(["plain"], "bearhug-script", 0.5, "wrk"),
  atLeast(["plain"], "bearhug-script", 1, "autocannon"),
  atLeast(["plain"], "bearhug-script", 6, "k6"),
  atLeast(["tls"], "bearhug", 0.5, "wrk"),
  atLeast(["tls"], "bearhug-script", 4, "k6"),
  atLeast(http2, "bearhug-script", 0.5, "h2load"),
  atLeast(http2, "bearhug-script", 4, "k6"),
  atLeast(["16k"], "bearhug", 0.7, "wrk"),
  atLeast(pages, "bearhug-script", 1.1, "k6"),
  { ...atMostOfK6, figure: "cpuUs" },
  { ...atMostOfK6, figure: "peakRssMb" },
];

/** A target and what was measured of it. */
export interface Outcome {
  readonly title: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isMet: boolean;
}

const figureNames: Readonly<Record<Figure, string>> = {
  requestsPerSecond: "requests/s",
  cpuUs: "CPU per request",
  peakRssMb: "peak memory",
};

/** Every target of which both tools were measured. */
export function judgeTargets(results: BenchResults): Outcome[] {
  return [...targets.flatMap((target) => judge(target, results)), ...judgeStart(results)];
}

function judge({ cases, figure, ours, theirs, bound, factor }: Target, results: BenchResults): Outcome[] {
  return results.cases
    .filter(({ name }) => cases.includes(name))
    .flatMap((of) => {
      const medians = [ours, theirs].map((id) => {
        const rounds = of.results.find(({ tool }) => tool === id)?.rounds ?? [];
        return median(rounds.map((round: Figures) => round[figure]));
      });
      const [mine = Number.NaN, others = Number.NaN] = medians;
      if (Number.isNaN(mine / others)) return [];
      const ratio = mine / others;
      return {
        title: `${of.title}: ${figureNames[figure]} of ${titleOf(ours)}`,
        wanted: `${bound} ${factor} × ${titleOf(theirs)}`,
        measured: `${ratio.toFixed(2)} ×`,
        isMet: bound === "at least" ? ratio >= factor : ratio <= factor,
      };
    });
}

function titleOf(id: ToolId): string {
  if (id === "bearhug") return "`bearhug <url>`";
  return id === "bearhug-script" ? "a script" : id;
}

const wantedStartMs = 300;

function judgeStart({ firstRequest }: BenchResults): Outcome[] {
  const [ours, theirs] = ["bearhug-script", "k6"].map((id) =>
    median(
      (firstRequest.find(({ tool }) => tool === id)?.rounds ?? []).map(
        ({ firstRequestMs }) => firstRequestMs,
      ),
    ),
  );
  if (ours === undefined || Number.isNaN(ours)) return [];
  const title = `${startCase.title} of a small script`;
  const measured = `${ours.toFixed(0)} ms`;
  return [
    { title, wanted: `within ${wantedStartMs} ms`, measured, isMet: ours <= wantedStartMs },
    ...(theirs === undefined || Number.isNaN(theirs)
      ? []
      : [{ title, wanted: `not after k6's (${theirs.toFixed(0)} ms)`, measured, isMet: ours <= theirs }]),
  ];
}
