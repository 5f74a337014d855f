// How do costs grow with a test? CPU and peak memory of whole runs of the built command line, with few and
// with many of a thing, in turns: request names, scenarios with thresholds, the size of a capture, the length
// of a run, waiting users; and the cost of the smallest run. Medians of rounds.
// `node bench/growth.ts 3 names` measures one case in three rounds.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runBearhug, runTestBy, usageOf, type Usage } from "./bench-process.ts";
import { writeSmallEntries, writeUsualCapture } from "./large-captures.ts";
import { startQuickServer } from "./quick-server.ts";
import { median } from "./statistics.ts";

/** A figure of a case, and its limit. */
interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost: number;
}

interface GrowthCase {
  readonly id: string;
  /** Measures each side. */
  readonly sides: Readonly<Record<string, () => Promise<Usage>>>;
  readonly figures: (of: (side: string) => Usage) => readonly Figure[];
}

const [rounds = "5", only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "bearhug-growth-"));
const server = await startQuickServer();
const mb = 1e6;

const cases: readonly GrowthCase[] = [
  {
    id: "names",
    sides: { "10 names": () => runNames(10), "1,000 names": () => runNames(1000) },
    figures: (of) => [
      ratio("CPU", of("1,000 names").cpuS / of("10 names").cpuS, 1.3),
      {
        what: "more memory",
        value: of("1,000 names").peakMb - of("10 names").peakMb,
        unit: "MB",
        atMost: 60,
      },
    ],
  },
  {
    id: "scenarios",
    sides: {
      "10 scenarios": () => runScenarios(10),
      "100 scenarios": () => runScenarios(100),
      "400 scenarios": () => runScenarios(400),
    },
    figures: (of) => [
      {
        what: "CPU of 400 scenarios with two thresholds each",
        value: of("400 scenarios").cpuS,
        unit: "s",
        atMost: 6,
      },
      // The cost of each scenario from 101 to 400, divided by that of each from 11 to 100.
      ratio(
        "CPU of a scenario, of 400 over of 100",
        (of("400 scenarios").cpuS - of("100 scenarios").cpuS) /
          300 /
          ((of("100 scenarios").cpuS - of("10 scenarios").cpuS) / 90),
        1.3,
      ),
    ],
  },
  {
    id: "capture",
    sides: {
      "1 MB": () => importUsual(mb),
      "10 MB": () => importUsual(10 * mb),
      "12,000 small entries": () => importSmall(12_000),
    },
    figures: (of) => [
      { what: "CPU of 10 MB", value: of("10 MB").cpuS, unit: "s", atMost: 2 },
      { what: "CPU of 12,000 small entries", value: of("12,000 small entries").cpuS, unit: "s", atMost: 6 },
    ],
  },
  {
    id: "time",
    sides: { "15 s": () => runFor(15), "150 s": () => runFor(150) },
    figures: (of) => [
      { what: "more memory", value: of("150 s").peakMb - of("15 s").peakMb, unit: "MB", atMost: 20 },
      ratio("CPU of a second", of("150 s").cpuS / of("15 s").cpuS / 10, 1.1),
    ],
  },
  {
    id: "idle-users",
    sides: { "10 users": () => runIdle(10), "5,000 users": () => runIdle(5000) },
    figures: (of) => [
      {
        what: "memory of a user with its connection",
        value: ((of("5,000 users").peakMb - of("10 users").peakMb) / 4990) * 1000,
        unit: "kB",
        atMost: 25,
      },
    ],
  },
  {
    id: "small-run",
    sides: { "one request": () => runBearhug("bench", server.url, "-n", "1", "--quiet") },
    figures: (of) => [
      { what: "CPU of one request", value: of("one request").cpuS, unit: "s", atMost: 0.5 },
      { what: "memory of one request", value: of("one request").peakMb, unit: "MB", atMost: 100 },
    ],
  },
];

try {
  const chosen = cases.filter(({ id }) => only === undefined || id === only);
  if (chosen.length === 0)
    throw new Error(`no case is called ${only}: ${cases.map(({ id }) => id).join(", ")}`);
  for (const one of chosen) {
    const isMet = await measure(one);
    if (!isMet) process.exitCode = 1;
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function measure({ id, sides, figures }: GrowthCase): Promise<boolean> {
  const used = new Map<string, Usage[]>();
  for (let round = 1; round <= Number(rounds); round++)
    for (const [side, run] of Object.entries(sides)) used.set(side, [...(used.get(side) ?? []), await run()]);
  const middle = (side: string): Usage => ({
    cpuS: median((used.get(side) ?? []).map(({ cpuS }) => cpuS)),
    peakMb: median((used.get(side) ?? []).map(({ peakMb }) => peakMb)),
  });
  console.log(`${id}, medians of ${rounds}:`);
  for (const side of used.keys()) {
    const { cpuS, peakMb } = middle(side);
    console.log(`  ${side}: ${cpuS.toFixed(2)} s of CPU, ${peakMb.toFixed(0)} MB`);
  }
  const judged = figures(middle);
  for (const { what, value, unit, atMost } of judged)
    console.log(`  ${what}: ${value.toFixed(2)} ${unit} (at most ${atMost} wanted)`);
  return judged.every(({ value, atMost }) => value <= atMost);
}

function ratio(what: string, value: number, atMost: number): Figure {
  return { what, value, unit: "×", atMost };
}

/** Runs 40,000 requests with this many names. */
function runNames(names: number): Promise<Usage> {
  return runSource(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    visitors: {
      executor: "shared-iterations", vus: 64, iterations: 40_000,
      exec: ({ http, iteration }) => http.get("/", { name: "name " + (iteration.index % ${names}) }),
    },
  },
});`);
}

/** Runs 4,000 requests of this many scenarios, each with two thresholds. */
function runScenarios(scenarios: number): Promise<Usage> {
  const names = Array.from({ length: scenarios }, (_, index) => `scenario${index}`);
  const perScenario = 4000 / scenarios;
  return runSource(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
${names.map((name) => `    ${name}: { executor: "shared-iterations", vus: 1, iterations: ${perScenario}, exec: ({ http }) => http.get("/") },`).join("\n")}
  },
  thresholds: {
${names.map((name) => `    "http_req_duration{scenario:${name}}": ["p(95)<10s"],\n    "http_req_failed{scenario:${name}}": ["rate<1"],`).join("\n")}
  },
});`);
}

/** Runs 2,000 requests a second. */
function runFor(seconds: number): Promise<Usage> {
  return runBearhug("bench", server.url, "--rate", "2000", "-d", `${seconds}s`, "--workers", "1", "--quiet");
}

/** Runs users that make a request, and then wait with an open connection. */
function runIdle(users: number): Promise<Usage> {
  return runSource(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    visitors: {
      executor: "per-vu-iterations", vus: ${users}, iterations: 1,
      exec: async ({ http, sleep }) => {
        await http.get("/");
        await sleep("10s");
      },
    },
  },
});`);
}

async function runSource(source: string): Promise<Usage> {
  const { used } = await runTestBy(source, ["--workers", "1"], usageOf);
  return used;
}

function importUsual(bytes: number): Promise<Usage> {
  const path = join(folder, `usual-${bytes}.har`);
  writeUsualCapture(path, bytes);
  return importCapture(path);
}

function importSmall(entries: number): Promise<Usage> {
  const path = join(folder, "small.har");
  writeSmallEntries(path, entries);
  return importCapture(path);
}

function importCapture(path: string): Promise<Usage> {
  return runBearhug("import", path, "--force", "-o", join(folder, "capture.ts"));
}
