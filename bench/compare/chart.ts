import { median } from "../statistics.ts";
import type { BenchResults, CaseResults } from "./results.ts";

/** The most informative cases and tools; bench/results.json has all. */
const shownCases = [
  "plain",
  "tls",
  "h2-64x1",
  "h2-4x16",
  "16k",
  "connections-1000",
  "page-800-nginx",
  "page-800-caddy",
];
const shownTools = ["wrk", "h2load", "autocannon", "k6", "bearhug", "bearhug-script"];

/** In pixels. */
const size = {
  width: 860,
  column: 430,
  bar: 14,
  line: 19,
  heading: 30,
  label: 110,
  longestBar: 230,
  margin: 12,
};

interface Bar {
  readonly title: string;
  readonly isOurs: boolean;
  readonly value: number;
}

interface Group {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/**
 * Renders an SVG of requests/s in two columns of cases. Its colors follow the reader's light or dark scheme.
 */
export function renderChart(results: BenchResults): string {
  const groups = shownCases
    .flatMap((name) => results.cases.find((each) => each.name === name) ?? [])
    .map(readGroup)
    .filter(({ bars }) => bars.length > 0);
  const half = Math.ceil(groups.length / 2);
  const columns = [groups.slice(0, half), groups.slice(half)].map(placeColumn);
  const height = Math.max(...columns.map((column) => column.height)) + size.margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${size.width} ${height}" width="${size.width}" height="${height}">
<title>Requests per second of load tools, each on one core</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.case { font-weight: 600; font-size: 13px }
.other { fill: #8c959f }
.ours { fill: #bc6c25 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .other { fill: #6e7681 } .ours { fill: #e09f3e } }
</style>
${columns.map(({ shapes }, index) => `<g transform="translate(${index * size.column + size.margin} 0)">\n${shapes.join("\n")}\n</g>`).join("\n")}
</svg>
`;
}

function readGroup({ title, results }: CaseResults): Group {
  const bars = results
    .filter(({ tool, rounds }) => shownTools.includes(tool) && rounds.length > 0)
    .map((result) => ({
      title: result.title,
      isOurs: result.tool.startsWith("bearhug"),
      value: median(result.rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
    }));
  return { title, bars };
}

function placeColumn(groups: readonly Group[]): {
  readonly height: number;
  readonly shapes: readonly string[];
} {
  let y = 0;
  const shapes: string[] = [];
  for (const { title, bars } of groups) {
    y += size.heading;
    shapes.push(`<text class="case" x="0" y="${y - 8}">${escapeXml(title)}</text>`);
    const most = Math.max(...bars.map(({ value }) => value));
    for (const bar of bars) {
      shapes.push(placeBar(bar, y, (bar.value / most) * size.longestBar));
      y += size.line;
    }
  }
  return { height: y, shapes };
}

function placeBar({ title, isOurs, value }: Bar, y: number, width: number): string {
  const baseline = y + size.bar - 3;
  return [
    `<text x="0" y="${baseline}">${escapeXml(title)}</text>`,
    `<rect class="${isOurs ? "ours" : "other"}" x="${size.label}" y="${y}" width="${width.toFixed(1)}" height="${size.bar}" rx="2"/>`,
    `<text x="${(size.label + width + 6).toFixed(1)}" y="${baseline}">${shorten(value)}/s</text>`,
  ].join("");
}

/** Formats a rate: 7.3k, 97k. */
function shorten(value: number): string {
  if (value < 1000) return value.toFixed(0);
  return `${(value / 1000).toFixed(value < 9950 ? 1 : 0)}k`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
