import { spreadOf, type Spread } from "../statistics.ts";
import { type BenchResults, type CaseResults, type Figures, type ToolResults } from "./results.ts";
import { judgeTargets } from "./targets.ts";

/** From here on its core decides the rate, and no longer the tool's. */
const fullServer = 0.95;

/** What docs/performance.md says about a comparison, before it is formatted. */
export function renderComparison(results: BenchResults): string {
  return [
    renderSetting(results),
    renderTargets(results),
    ...results.cases.map(renderCase),
    renderStart(results),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function renderSetting({ date, machine, versions, missing, wantedRounds, windowS }: BenchResults): string {
  const { cpu, cores, memoryGb, kernel, system } = machine;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const left = missing.length === 0 ? "" : ` Not installed, and so left out: ${missing.join(", ")}.`;
  return `![Requests per second of load tools](images/performance.svg)

Measured on ${date}: ${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Linux ${kernel}. ${named.join(", ")}.${left}
Each figure is the median of up to ${wantedRounds} rounds of ${windowS} s; the range is that of all rounds.`;
}

function renderTargets(results: BenchResults): string {
  const outcomes = judgeTargets(results);
  if (outcomes.length === 0) return "";
  const rows = outcomes.map(({ title, wanted, measured, isMet }) => [
    title,
    wanted,
    isMet ? measured : `**missed**: ${measured}`,
  ]);
  return `### Targets\n\n${table(["case", "target", "measured"], rows, "---")}`;
}

function renderCase({ title, results }: CaseResults): string {
  const rows = results.filter(({ rounds }) => rounds.length > 0).map(renderTool);
  const header = ["tool", "requests/s", "CPU, µs a request", "server's CPU, µs", "peak memory, MB", "rounds"];
  const heading = `### ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  const failures = results.filter(({ problems }) => problems.length > 0).map(renderFailure);
  const isFull = rows.some(([, rate]) => rate?.includes(fullMark) === true);
  const notes = [
    ...(isFull ? [`${fullMark} The server's core was full: the tool could do more.`] : []),
    ...failures,
  ];
  if (rows.length === 0 && notes.length === 0) return "";
  return [
    heading,
    ...(rows.length > 0 ? [table(header, rows)] : []),
    ...(notes.length > 0 ? [notes.join(" ")] : []),
  ].join("\n\n");
}

const fullMark = "†";

function renderTool({ title, rounds }: ToolResults<Figures>): string[] {
  const spread = (figure: (round: Figures) => number): Spread => spreadOf(rounds.map(figure));
  const isFull = spread(({ serverBusy }) => serverBusy).median >= fullServer;
  return [
    showTool(title),
    withRange(
      spread(({ requestsPerSecond }) => requestsPerSecond),
      0,
    ) + (isFull ? ` ${fullMark}` : ""),
    withRange(
      spread(({ cpuUs }) => cpuUs),
      1,
    ),
    spread(({ serverCpuUs }) => serverCpuUs).median.toFixed(1),
    spread(({ peakRssMb }) => peakRssMb).median.toFixed(0),
    String(rounds.length),
  ];
}

/** A command line in it is code. */
function showTool(title: string): string {
  return title.includes("<") ? `\`${title}\`` : title;
}

function renderFailure({ title, rounds, problems }: ToolResults<unknown>): string {
  return `${showTool(title)} failed in ${problems.length} of ${rounds.length + problems.length} rounds.`;
}

function renderStart({ firstRequest }: BenchResults): string {
  const measured = firstRequest.filter(({ rounds }) => rounds.length > 0);
  if (measured.length === 0) return "";
  const rows = measured.map(({ title, rounds }) => [
    showTool(title),
    withRange(spreadOf(rounds.map(({ firstRequestMs }) => firstRequestMs)), 0),
    String(rounds.length),
  ]);
  return `### First request

From the start of the process until the server has the first bytes, for a test of one virtual user, on one core.

${table(["tool", "ms", "rounds"], rows)}`;
}

function withRange({ median, least, most }: Spread, digits: number): string {
  const [middle = "", from = "", to = ""] = [median, least, most].map((figure) =>
    groupDigits(figure.toFixed(digits)),
  );
  return least === most ? middle : `${middle} (${from} to ${to})`;
}

function groupDigits(figure: string): string {
  return figure.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
}

/** The first column is text; `others` is the alignment of the rest. */
function table(header: readonly string[], rows: readonly (readonly string[])[], others = "---:"): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const alignment = header.map((_, column) => (column === 0 ? "---" : others));
  return [line(header), line(alignment), ...rows.map(line)].join("\n");
}
