import { median, spreadOf, type Spread } from "../statistics.ts";
import { type BenchResults, type CaseResults, type Figures, type ToolResults } from "./results.ts";
import { cases } from "./cases.ts";
import { judgeTargets } from "./targets.ts";
import type { ToolId } from "./tool.ts";

/** From this share on, the server's core limits the rate, not the tool. */
const fullServer = 0.95;

/** Renders the comparison for docs/performance.md, not yet formatted. */
export function renderComparison(results: BenchResults): string {
  return [
    renderSetting(results),
    renderCases(results),
    renderFirstSeconds(results),
    renderStart(results),
    renderTargets(results),
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
Figures are medians of up to ${wantedRounds} rounds of ${windowS} s. [All rounds](../bench/results.json) have more tools and cases.`;
}

function renderCases({ cases: measured, wantedRounds }: BenchResults): string {
  const rows = measured.flatMap(({ name, title, results }) =>
    results
      .filter(({ tool, rounds }) => isEssential(name, tool) && rounds.length >= Math.min(2, wantedRounds))
      .map((result, index) => [index === 0 ? title : "", ...renderTool(result)]),
  );
  const header = ["case", "tool", "1,000 requests/s", "range", "CPU, µs", "memory, MB"];
  const isFull = rows.some((row) => row.some((cell) => cell.includes(fullMark)));
  const notes = [
    ...(isFull ? [`${fullMark} The server's core was full: the tool could do more.`] : []),
    ...measured.flatMap(renderFailures),
  ];
  return [...(rows.length > 0 ? [table(header, rows, 2)] : []), ...notes].join("\n\n");
}

const fullMark = "†";

function isEssential(name: string, tool: ToolId): boolean {
  return cases.some((one) => one.name === name && one.essential.includes(tool));
}

function renderTool({ title, rounds }: ToolResults<Figures>): string[] {
  const spread = (figure: (round: Figures) => number): Spread => spreadOf(rounds.map(figure));
  const rate = spread(({ requestsPerSecond }) => requestsPerSecond / 1000);
  const isFull = spread(({ serverBusy }) => serverBusy).median >= fullServer;
  return [
    showTool(title),
    rate.median.toFixed(1) + (isFull ? ` ${fullMark}` : ""),
    showRange(rate, (thousands) => thousands.toFixed(1)),
    spread(({ cpuUs }) => cpuUs).median.toFixed(1),
    groupDigits(spread(({ peakRssMb }) => peakRssMb).median),
  ];
}

/** Formats the title of a tool; a command line is code. */
function showTool(title: string): string {
  return title.includes("<") ? `\`${title}\`` : title;
}

function renderFailures({ title, results }: CaseResults<unknown>): string[] {
  const failures = results
    .filter(({ problems }) => problems.length > 0)
    .map(
      ({ title: tool, rounds, problems }) =>
        `${showTool(tool)} failed in ${problems.length} of ${rounds.length + problems.length} rounds`,
    );
  return failures.length === 0 ? [] : [`${title}: ${failures.join(", ")}.`];
}

function renderFirstSeconds({ firstSeconds, wantedRounds }: BenchResults): string {
  const rows = firstSeconds.flatMap(({ title, results }) =>
    results
      .filter(({ rounds }) => rounds.length >= Math.min(2, wantedRounds))
      .map(({ title: tool, rounds }, index) => {
        const first = spreadOf(rounds.map(({ firstShare }) => firstShare));
        return [
          index === 0 ? title : "",
          showTool(tool),
          first.median.toFixed(2),
          showRange(first, (share) => share.toFixed(2)),
          median(rounds.map(({ secondShare }) => secondShare)).toFixed(2),
        ];
      }),
  );
  const failures = firstSeconds.flatMap(renderFailures);
  if (rows.length === 0 && failures.length === 0) return "";
  return [
    "### First seconds",
    "Requests of the first two seconds after the first of 64 connections, divided by the median of seconds 3 to 6.",
    ...(rows.length > 0 ? [table(["case", "tool", "first second", "range", "next second"], rows, 2)] : []),
    ...failures,
  ].join("\n\n");
}

function renderStart({ firstRequest }: BenchResults): string {
  const measured = firstRequest.filter(({ rounds }) => rounds.length > 0);
  if (measured.length === 0) return "";
  const rows = measured.map(({ title, rounds }) => {
    const spread = spreadOf(rounds.map(({ firstRequestMs }) => firstRequestMs));
    return [showTool(title), groupDigits(spread.median), showRange(spread, groupDigits)];
  });
  return `### First request

From the start of the process until the server has the first bytes, for a test of one virtual user, on one core.

${table(["tool", "ms", "range"], rows, 1)}`;
}

function renderTargets(results: BenchResults): string {
  const outcomes = judgeTargets(results);
  if (outcomes.length === 0) return "";
  const rows = outcomes.map(({ title, wanted, measured }) => [
    title,
    wanted,
    measured.map(({ text, isMet }) => (isMet ? text : `**${text}**`)).join(", "),
  ]);
  return `### Targets

A target of several cases has a figure for each, in the order of the first table. Figures in bold miss it.

${table(["figure", "target", "measured"], rows, 3)}`;
}

function showRange({ least, most }: Spread, show: (figure: number) => string): string {
  return least === most ? "" : `${show(least)} to ${show(most)}`;
}

/** Formats a whole number: 12,345. */
function groupDigits(figure: number): string {
  return figure.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Keeps a table as it is written here: with aligned columns, a third of it would be spaces. */
const unpadded = "<!-- prettier-ignore -->";

/** Renders a table. `texts` is the number of text columns, which come first; the others are numbers. */
function table(header: readonly string[], rows: readonly (readonly string[])[], texts: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const alignment = header.map((_, column) => (column < texts ? "---" : "---:"));
  return [unpadded, line(header), line(alignment), ...rows.map(line)].join("\n");
}
