import { median } from "../statistics.ts";
import type { BenchResults, Figures, ToolResults } from "./results.ts";
import { startCase } from "./cases.ts";
import type { ToolId } from "./tool.ts";

type Figure = "requestsPerSecond" | "cpuUs" | "peakRssMb";

/** A bound on one of bearhug's figures in each of the cases. */
interface Target {
  readonly load: string;
  readonly cases: readonly string[];
  readonly figure: Figure;
  readonly ours: ToolId;
  /** The tool whose figure is the unit of the bound; null for a bound in MB. */
  readonly theirs: ToolId | null;
  readonly bound: "at least" | "at most";
  readonly limit: number;
}

type Loads = Pick<Target, "load" | "cases">;

const plain: Loads = { load: "6 bytes", cases: ["plain"] };
const single: Loads = { load: "6 bytes, one connection", cases: ["memory-small"] };
const tls: Loads = { load: "6 bytes, TLS", cases: ["tls"] };
const http2: Loads = { load: "6 bytes, HTTP/2", cases: ["h2-64x1", "h2-1x64", "h2-4x16"] };
const fewStreams: Loads = { load: "HTTP/2, 4 × 16", cases: ["h2-4x16"] };
const large: Loads = { load: "16 KB", cases: ["16k"] };
const onNginx: Loads = { load: "a page, nginx", cases: ["page-800-nginx", "page-1600-nginx"] };
const onCaddy: Loads = { load: "a page, Caddy", cases: ["page-800-caddy", "page-1600-caddy"] };

const atLeast = (loads: Loads, ours: ToolId, limit: number, theirs: ToolId): Target => ({
  ...loads,
  figure: "requestsPerSecond",
  ours,
  theirs,
  bound: "at least",
  limit,
});

const atMost = (
  loads: Loads,
  figure: Figure,
  ours: ToolId,
  limit: number,
  theirs: ToolId | null,
): Target => ({ ...loads, figure, ours, theirs, bound: "at most", limit });

const targets: readonly Target[] = [
  atLeast(plain, "bearhug", 0.8, "wrk"),
  atLeast(plain, "bearhug-script", 1, "autocannon"),
  atMost(plain, "cpuUs", "bearhug", 1.25, "sockets"),
  atMost(plain, "peakRssMb", "bearhug", 100, null),
  atLeast(plain, "bearhug-script", 0.7, "wrk"),
  atLeast(plain, "bearhug-script", 9, "k6"),
  atMost(plain, "cpuUs", "bearhug-script", 1.35, "sockets"),
  atLeast(plain, "bearhug-undici", 0.85, "dispatch"),
  atMost(plain, "cpuUs", "bearhug-fetch", 1.3, "fetch"),
  atMost(single, "peakRssMb", "bearhug", 100, null),
  atLeast(tls, "bearhug", 0.75, "wrk"),
  atLeast(tls, "bearhug-script", 0.75, "wrk"),
  atLeast(tls, "bearhug-script", 4, "k6"),
  atLeast(http2, "bearhug-script", 0.85, "h2load"),
  atLeast(http2, "bearhug-script", 5, "k6"),
  atLeast(fewStreams, "bearhug-undici", 0.7, "dispatch"),
  atLeast(large, "bearhug", 0.7, "wrk"),
  atLeast(onNginx, "bearhug-script", 3.7, "k6"),
  atMost(onNginx, "cpuUs", "bearhug-script", 0.6, "k6"),
  atMost(onNginx, "peakRssMb", "bearhug-script", 0.33, "k6"),
  atLeast(onCaddy, "bearhug-script", 1.1, "k6"),
  atMost(onCaddy, "cpuUs", "bearhug-script", 0.6, "k6"),
  atMost(onCaddy, "peakRssMb", "bearhug-script", 0.6, "k6"),
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

/** Judges every target whose tools were all measured. */
export function judgeTargets(results: BenchResults): Outcome[] {
  return [
    ...targets.flatMap((target) => judge(target, results)),
    ...judgeFirstSeconds(results),
    ...judgeStart(results),
  ];
}

function judge(
  { load, cases, figure, ours, theirs, bound, limit }: Target,
  results: BenchResults,
): Outcome[] {
  const measured = results.cases
    .filter(({ name }) => cases.includes(name))
    .flatMap((of): Measured[] => {
      const medianOf = (id: ToolId): number =>
        medianFigure<Figures>(of.results, id, (round) => round[figure]);
      const value = medianOf(ours) / (theirs === null ? 1 : medianOf(theirs));
      if (Number.isNaN(value)) return [];
      const text = theirs === null ? `${value.toFixed(0)} MB` : value.toFixed(2);
      return [{ text, isMet: bound === "at least" ? value >= limit : value <= limit }];
    });
  if (measured.length === 0) return [];
  const title = `${load}: ${figureNames[figure]} of ${titleOf(ours)}`;
  return [
    { title, wanted: `${bound} ${limit} ${theirs === null ? "MB" : `× ${titleOf(theirs)}`}`, measured },
  ];
}

/** Returns a tool's median; NaN if it was not measured. */
function medianFigure<Of>(
  results: readonly ToolResults<Of>[],
  id: ToolId,
  figure: (round: Of) => number,
): number {
  return median((results.find(({ tool }) => tool === id)?.rounds ?? []).map(figure));
}

const titles: Partial<Record<ToolId, string>> = {
  bearhug: "`bearhug <url>`",
  "bearhug-script": "a script",
  "bearhug-fetch": "a script, http.fetch",
  "bearhug-undici": "a script, undici",
  sockets: "bare sockets",
  dispatch: "bare dispatch",
  fetch: "bare fetch",
};

function titleOf(id: ToolId): string {
  return titles[id] ?? id;
}

/** The share of its steady rate that a run must reach in its first second, by load. */
const wantedShares: Readonly<Record<string, number>> = { plain: 0.85, tls: 0.5, "h2-64x1": 0.5 };

function judgeFirstSeconds({ firstSeconds }: BenchResults): Outcome[] {
  const judged = firstSeconds.flatMap(({ name, results }) => {
    const wanted = wantedShares[name];
    const share = medianFigure(results, "bearhug", ({ firstShare }) => firstShare);
    if (wanted === undefined || Number.isNaN(share)) return [];
    return [{ wanted, measured: { text: share.toFixed(2), isMet: share >= wanted } }];
  });
  if (judged.length === 0) return [];
  return [
    {
      title: `first second of ${titleOf("bearhug")}`,
      wanted: `at least ${judged.map(({ wanted }) => wanted).join(", ")} × its steady rate`,
      measured: judged.map(({ measured }) => measured),
    },
  ];
}

const wantedStartMs = 250;

function judgeStart({ firstRequest }: BenchResults): Outcome[] {
  const startOf = (id: ToolId): number =>
    medianFigure(firstRequest, id, ({ firstRequestMs }) => firstRequestMs);
  const [ours, theirs] = [startOf("bearhug-script"), startOf("k6")];
  if (Number.isNaN(ours)) return [];
  const title = `${startCase.title} of a script`;
  const judged = (isMet: boolean): Measured[] => [{ text: `${ours.toFixed(0)} ms`, isMet }];
  return [
    { title, wanted: `within ${wantedStartMs} ms`, measured: judged(ours <= wantedStartMs) },
    ...(Number.isNaN(theirs)
      ? []
      : [{ title, wanted: `not after k6's (${theirs.toFixed(0)} ms)`, measured: judged(ours <= theirs) }]),
  ];
}
