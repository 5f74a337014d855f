import { InvalidInput } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import * as bench from "../../src/commands/bench/bench.ts";
import * as demo from "../../src/commands/start/demo.ts";
import * as report from "../../src/commands/report/report.ts";
import * as run from "../../src/commands/run/run.ts";
import { validateCommandLine } from "../../src/commands/command-line/validate-command-line.ts";
import { findProblems } from "../../src/commands/reading.ts";
import { runBearhug, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Values that an option cannot use. The message names the option and the value. */
const counts = ["0", "-1", "1.5", "1e3", "NaN", "Infinity", "ten", "", " ", "9007199254740993"];
const durations = ["0", "-5s", "NaN", "soon", "", "5 parsecs", "1e400s"];
const pairs = ["", "=", "=x", "name"];
const outs = ["", "=", "jsn=x", "json=", "junit="];
const thresholds = [
  "",
  "http_reqs",
  "http_reqs: count",
  "http_reqs: count<",
  "http_reqs: count<soon",
  "{: count<1",
];
const speeds = ["", "0", "-1Gbps", "fast", "1Gb ps"];
const protocols = ["", "h3", "HTTP/2"];
const resolved = ["", "shop.example", "=127.0.0.1", "shop.example=localhost", "shop.example:99999=::1"];
const sizes = ["", "0", "-1GB", "much", "NaN"];

const sharedValues: Readonly<Record<string, readonly string[]>> = {
  "--workers": counts.filter((text) => text !== "0"),
  "--seed": counts.filter((text) => text !== "0"),
  "--warmup": durations.filter((text) => text !== "0"),
  "--max-data": sizes,
  "--link": speeds,
  "--protocol": protocols,
  "--timeout": durations,
  "--max-concurrent-streams": ["0", "-1", "1.5", "many"],
  "--max-requests-per-connection": ["0", "-1", "1.5", "many"],
  "--max-connection-age": durations,
  "--no-proxy": [" x:0", "shop.*", "10.0.0.0/33"],
  "--resolve": resolved,
  "--tag": pairs,
  "--threshold": thresholds,
  "--out": outs,
};

const runValues: Readonly<Record<string, readonly string[]>> = {
  ...sharedValues,
  "--target": ["", "nowhere", "ftp://127.0.0.1", "http://127.0.0.1:1/path", "http://"],
  "--vus": counts,
  "--duration": durations,
  "--iterations": counts,
  "--env": pairs,
};

const benchValues: Readonly<Record<string, readonly string[]>> = {
  ...sharedValues,
  "-c": counts,
  "-d": durations,
  "-n": counts,
  "-H": ["", "no colon", ": value", "na me: x"],
  "-X": ["", "GET IT", "G\u00cbT"],
  "--rate": ["", "0", "-1", "fast", "5/day", "NaN"],
  "--body-size": ["", "-1", "much", "2GB"],
};

/** Returns rounds in which every option has its next bad value: as many as the longest list has values. */
function rounds(
  table: Readonly<Record<string, readonly string[]>>,
): [round: number, given: [string, string][]][] {
  const longest = Math.max(...Object.values(table).map((values) => values.length));
  return Array.from({ length: longest }, (_, round) => [
    round,
    Object.entries(table).flatMap(([option, values]): [string, string][] => {
      const value = values[round];
      return value === undefined ? [] : [[option, value]];
    }),
  ]);
}

function linesOf(stderr: string): string[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => line.replace("bearhug: ", ""));
}

describe("bad values are all reported at once", () => {
  const [[, firstOfRun], [, firstOfBench]] = [rounds(runValues)[0]!, rounds(benchValues)[0]!];

  test("run: exit 104, and nothing is sent", async () => {
    const server = await startServer();
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { s: { executor: "constant-vus", duration: "1s", exec: ({ http }) => http.get("/") } },
});`);
    await expectRefused(["run", file], firstOfRun);
    expect(server.total()).toBe(0);
  });

  test("one line: exit 104, and nothing is sent", async () => {
    const server = await startServer();
    await expectRefused([`${server.url}/`], firstOfBench);
    expect(server.total()).toBe(0);
  });

  test.each([
    ["demo", "--listen", "-1"],
    ["report", "--out", "jsn=x"],
  ])("%s %s %s: exit 104", async (command, option, value) => {
    await expectRefused([command], [[option, value]]);
  });

  test.each(rounds(runValues))("run, round %i: %j", (_, given) => {
    expectAllReported(problemsOf(run, [writeTest("export {}")], given), given);
  });

  test.each(rounds(benchValues))("one line, round %i: %j", (_, given) => {
    expectAllReported(problemsOf(bench, ["http://127.0.0.1:1/"], given), given);
  });

  test.each([
    ["demo", "--listen", ["", "-1", "65536", "http", "1.5", ":80", " :80"], demo],
    ["report", "--out", outs, report],
  ] as const)("%s %s: %j", (_, option, values, command) => {
    for (const value of values)
      expectAllReported(problemsOf(command, [], [[option, value]]), [[option, value]]);
  });
});

interface CommandModule {
  readonly createCommand: typeof run.createCommand;
}

/** Returns the problems that the command finds in its arguments, as the process would report them. */
function problemsOf(
  { createCommand }: CommandModule,
  operands: readonly string[],
  given: readonly [string, string][],
): readonly string[] {
  const command = createCommand();
  try {
    validateCommandLine(command, [...operands, ...given.flat()], findProblems, {});
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems;
    throw error;
  }
  return findProblems(operands, command);
}

async function expectRefused(command: readonly string[], given: readonly [string, string][]): Promise<void> {
  const { exitCode, stdout, stderr } = await runBearhug([...command, ...given.flat()]);
  expect(exitCode, stderr).toBe(104);
  expect(stdout).toBe("");
  expectAllReported(linesOf(stderr), given);
}

function expectAllReported(lines: readonly string[], given: readonly [string, string][]): void {
  for (const [option, value] of given) {
    const found = lines.filter((line) => line.startsWith(option));
    expect(found, `${option} ${JSON.stringify(value)} in ${lines.join("\n")}`).toHaveLength(1);
    // For a threshold, only the wrong part is shown.
    expect(found[0]).toContain(value.replace(/^[^{]+: /, "").trim());
  }
  expect(lines).toHaveLength(given.length);
}

describe("unknown words", () => {
  test("are reported with all other problems, and with suggestions", async () => {
    const line = ["run", "--vuz", "5", "nofile.ts", "--vus", "x", "--out", "jsn", "--quite", "--seed"];
    const { exitCode, stderr } = await runBearhug(line);
    expect(exitCode).toBe(104);
    expect(linesOf(stderr)).toEqual([
      "--vuz: unknown option. Did you mean --vus?",
      "--quite: unknown option. Did you mean --quiet?",
      "--seed: needs a value. See bearhug run --help.",
      "There is no file nofile.ts.",
      "--vus x: must be a whole number from 1.",
      `--out jsn: no report is called "jsn". Did you mean json?`,
    ]);
  });

  test.each([
    [["run", "--nonsense", "5"], ["--nonsense: unknown option. See bearhug run --help."]],
    [
      ["run", "-z", "5", "nofile.ts"],
      ["-z: unknown option. -z 5 of hey and oha is -d 5 here.", "There is no file nofile.ts."],
    ],
    [["monitor", "--port", "9100"], ["--port: unknown option. Write --listen PORT, or --listen HOST:PORT."]],
    [["run"], ["<file> is missing. See bearhug run --help."]],
    [["run", "--"], ["<file> is missing. See bearhug run --help."]],
    [["report", "a", "b"], [`"b": unexpected argument. See bearhug report --help.`]],
    [["doctor", "--port=1"], ["--port: unknown option. See bearhug doctor --help."]],
    [["-c"], ["-c: needs a value. See bearhug bench --help.", "<url> is missing. See bearhug bench --help."]],
    [["http://127.0.0.1:1/", "--quiet=yes"], ["--quiet: takes no value."]],
    [["--verison"], ["--verison: unknown option. Did you mean --version?"]],
    [["-V"], ["-V: unknown option. Did you mean -v?"]],
    [["--reload"], ["--reload: unknown option. See bearhug --help."]],
    [
      ["load/shop.load.ts"],
      ["There is no file load/shop.load.ts. If it is an address, write http://load/shop.load.ts."],
    ],
    [
      ["sweep", "load/shop.load.ts", "--target", "a=http://127.0.0.1:1"],
      ["There is no file load/shop.load.ts."],
    ],
  ])("%j", async (line, expected) => {
    const { exitCode, stderr } = await runBearhug(line);
    expect(exitCode).toBe(104);
    expect(linesOf(stderr)).toEqual(expected);
  });

  test.each(["run", "try", "check", "list"])("%s http://127.0.0.1:1/", async (command) => {
    const { exitCode, stderr } = await runBearhug([command, "http://127.0.0.1:1/"]);
    expect(exitCode).toBe(104);
    expect(linesOf(stderr)).toEqual([
      "http://127.0.0.1:1/ is an address, not a file. To load it: bearhug http://127.0.0.1:1/.",
    ]);
  });

  test("do not include words after --, nor values that look like options", async () => {
    const file = await runBearhug(["run", "--", "--no-such-file"]);
    expect(linesOf(file.stderr)).toEqual(["There is no file --no-such-file."]);
    const value = await runBearhug(["http://127.0.0.1:1/", "-d", "--quiet"]);
    expect(linesOf(value.stderr)).toEqual([expect.stringMatching(/^-d --quiet: /)]);
  });

  test("among the keys of a test are all reported, with suggestions", async () => {
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseURL: "http://127.0.0.1:1",
  scenarios: { s: { executor: "constant-vus", vuz: 1, durations: "1s", exec: () => 1 } },
  treshholds: {},
} as never);`);
    const { exitCode, stderr } = await runBearhug(["run", file]);
    expect(exitCode).toBe(104);
    for (const meant of ["baseUrl", "vus", "duration", "thresholds"]) {
      expect(stderr).toMatch(new RegExp(`did you mean "?${meant}`, "i"));
    }
  });
});

describe("thresholds of the command line", () => {
  const thresholds = [
    "--threshold",
    "nope: rate<1",
    "--threshold",
    "http_reqs: p(95)<1",
    "--threshold",
    "http_req_duration: p(101)<1",
  ];

  test("are refused with a suggestion if their metric is unknown", async () => {
    const { stderr } = await runBearhug(["localhost", "--threshold", "http_req_durations: p(95)<1s"]);
    expect(linesOf(stderr)).toEqual([
      `--threshold "http_req_durations": no metric is called http_req_durations. Did you mean http_req_duration?`,
    ]);
  });

  test("are refused with the other options if their filter can never select a sample", async () => {
    const filtered = ["--threshold", "http_reqs{status:ok}: count>1", "--vus", "few"];
    const { stderr } = await runBearhug(["run", writeTest("export {}"), ...filtered]);
    expect(linesOf(stderr)).toEqual([
      "--vus few: must be a whole number from 1.",
      `--threshold "http_reqs{status:ok}": a status is a number, such as {status:200}.`,
    ]);
  });

  test("are validated with the options where no test can declare metrics", async () => {
    const { exitCode, stderr } = await runBearhug(["http://127.0.0.1:1/", ...thresholds]);
    expect(exitCode).toBe(104);
    expect(linesOf(stderr)).toEqual([
      expect.stringMatching(/^--threshold "p\(101\)<1": /),
      `--threshold "nope": no metric is called nope.`,
      expect.stringMatching(/^--threshold: .*http_reqs/),
    ]);
  });

  test("are validated only for built-in metrics where a test may declare its own", async () => {
    const { exitCode, stderr } = await runBearhug(["run", writeTest("export {}"), ...thresholds]);
    expect(exitCode).toBe(104);
    expect(linesOf(stderr)).toEqual([
      expect.stringMatching(/^--threshold "p\(101\)<1": /),
      expect.stringMatching(/^--threshold: .*http_reqs/),
    ]);
  });

  const unmonitored = ["--threshold", "server.cpu: avg<80%"];
  const noMonitor = `"server.cpu": no monitor is called server. Add --monitor server=URL or --monitor-pid server=PID. With allowEmpty: true, the threshold passes without it.`;

  test("on a gauge without its monitor are refused with the other options of a test of one URL", async () => {
    const { stderr } = await runBearhug(["http://127.0.0.1:1/", ...unmonitored, "-n", "few"]);
    expect(linesOf(stderr)).toEqual(["-n few: must be a whole number from 1.", `--threshold ${noMonitor}`]);
  });

  test("on a gauge without its monitor are refused with the other problems of a plan", async () => {
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ scenarios: { s: { executor: "constant-vus", vus: 1, duration: "1s", exec: () => undefined } } });`);
    const { stderr } = await runBearhug(["run", file, ...unmonitored, "--threshold", "nope: rate<1"]);
    expect(stderr).toContain(`Threshold "nope": no metric is called nope.`);
    expect(stderr).toContain(`Threshold ${noMonitor}`);
  });
});

test("an abbreviated option is refused with all full names that it may stand for", async () => {
  const { stderr } = await runBearhug(["run", "--strict", "--env-f=x", "--max"]);
  expect(linesOf(stderr).slice(0, 3)).toEqual([
    "--strict: unknown option. Did you mean --strict-generator?",
    "--env-f: unknown option. Did you mean --env-from?",
    "--max: unknown option. Did you mean --max-requests-per-connection, --max-connection-age, --max-concurrent-streams, --max-data or --max-failed?",
  ]);
});

test("built-in tags cannot be set: exit 104, and nothing is sent", async () => {
  const server = await startServer();
  const url = `${server.url}/`;
  const problem = "is a tag that bearhug sets itself.";
  const given = await runBearhug([url, "--tag", "page=x", "--tag", "team=web", "--tag", "status=7"]);
  expect(given.exitCode).toBe(104);
  expect(linesOf(given.stderr)).toEqual([`--tag page: ${problem}`, `--tag status: ${problem}`]);
  const inherited = await runBearhug([url], undefined, { BEARHUG_TAG: "group=x" });
  expect(inherited.exitCode).toBe(104);
  expect(linesOf(inherited.stderr)).toEqual([`BEARHUG_TAG=group: ${problem}`]);
  expect(server.total()).toBe(0);
});

test.each([
  ["/no/such/file", "there is no such file"],
  ["/", "cannot be read"],
])("a file of variables that cannot be read is reported with the other problems: %j", async (path, why) => {
  const file = writeTest("export {}");
  const environment = { BEARHUG_ENV_FILE: path, BEARHUG_VUS: "0" };
  const fromVariables = await runBearhug(["run", file], undefined, environment);
  expect(fromVariables.exitCode).toBe(104);
  expect(linesOf(fromVariables.stderr)).toEqual([
    "BEARHUG_VUS=0: must be a whole number from 1.",
    expect.stringContaining(`BEARHUG_ENV_FILE=${path}: ${why}`),
  ]);
  for (const given of [["--env-from", path], [`--env-from=${path}`]]) {
    const { exitCode, stderr } = await runBearhug(["run", file, "--vus", "0", ...given]);
    expect(exitCode).toBe(104);
    expect(linesOf(stderr)).toEqual([
      "--vus 0: must be a whole number from 1.",
      expect.stringContaining(`--env-from ${path}: ${why}`),
    ]);
  }
});
