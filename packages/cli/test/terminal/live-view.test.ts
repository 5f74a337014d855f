import { describe, expect, test } from "vitest";

import { command } from "../command.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";
import { hasPython, startInTerminal, type TerminalRun } from "./terminal-run.ts";

function testOf(baseUrl: string, duration: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "front page",
  baseUrl: "${baseUrl}",
  scenarios: {
    browse: {
      executor: "constant-vus", vus: 2, duration: "${duration}",
      exec: async ({ http, log, sleep, vu, iteration }) => {
        if (iteration.indexInVu % 10 === 0) log.info(\`visit \${iteration.indexInVu} \\u001b[31mof \${vu.id}\`);
        await http.get("/");
        await sleep("100ms");
      },
    },
  },
  thresholds: { http_req_failed: ["rate<1%"] },
});`);
}

/** Starts a run of a test in a terminal. */
async function startRun(
  columns: number,
  rows: number,
  duration: string,
  after = "",
  environment = {},
): Promise<TerminalRun> {
  const server = await startServer();
  const run = bearhug("run", testOf(server.url, duration), "--seed", "1");
  const line = after === "" ? `exec ${run}` : `${run} ${after}`;
  return startShell(["sh", "-c", line], columns, rows, environment);
}

/** Returns the command with its arguments, quoted for a shell. */
function bearhug(...given: readonly string[]): string {
  return [process.execPath, command, ...given].map((word) => `"${word}"`).join(" ");
}

function startShell(
  line: readonly string[],
  columns: number,
  rows: number,
  environment: Readonly<Record<string, string>> = {},
): TerminalRun {
  return startInTerminal(line, {
    columns,
    rows,
    environment: {
      PATH: process.env["PATH"] ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      NODE_OPTIONS: "",
      XDG_CACHE_HOME: temporaryFolder(),
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
      ...environment,
    },
  });
}

/** Returns the log lines of the test among the lines of the terminal. */
function visitsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith("bearhug: visit"));
}

describe.skipIf(!hasPython)("in a real terminal", () => {
  test("the view below the log lines follows the terminal's size, and Ctrl+C replaces it by the summary", async () => {
    const run = await startRun(80, 30, "60s");
    const shown = await run.showing(/✓ {2}http_req_failed/);
    expect(shown.join("\n")).toMatch(
      /front page +\d+ s of 1 m 0 s\n+ +rate +VUs +iterations\n +browse .*[━╸─].* left\n/,
    );
    expect(visitsOf(shown)[0]).toBe("bearhug: visit 0 \\e[31mof 1  (browse, VU 1)");
    await run.resize(60, 30);
    const narrow = await run.showing(/VUs · \d+ iterations\n+ {2}requests/);
    expect(narrow.filter((line) => line.startsWith("front page"))).toHaveLength(1);
    await run.resize(200, 30);
    await run.showing(/front page {80,}\d+ s of 1 m 0 s/);
    run.type("\u0003");
    expect(await run.ended).toEqual({ exitCode: 105 });
    const everything = run.everything();
    expect(everything.join("\n")).toContain("SIGINT: ending gracefully; press Ctrl+C again to stop now");
    expect(everything.at(-1)).toBe("✗ interrupted, exit code 105");
    expect(everything.filter((line) => line.includes(" left"))).toEqual([]);
    expect(visitsOf(everything).length).toBeGreaterThanOrEqual(2);
    expect(run.isCursorHidden).toBe(false);
  });

  test("a process that a signal kills leaves the cursor visible", async () => {
    const run = await startRun(80, 24, "60s");
    await run.showing(/http_req_failed/);
    run.type("\u001c");
    expect((await run.ended).exitCode).toBeGreaterThan(128);
    expect(run.isCursorHidden).toBe(false);
  });

  test("the view is shown even if the summary goes into a pipe", async () => {
    const run = await startRun(80, 24, "1500ms", "| head -1");
    await run.showing(/http_req_failed/);
    await run.ended;
    const everything = run.everything();
    expect(everything.at(-1)).toMatch(/^✓ passed/);
    expect(everything.some((line) => line.includes("generator"))).toBe(false);
  });

  test("a dumb terminal gets lines without escape sequences", async () => {
    const run = await startRun(80, 24, "1500ms", "", { TERM: "dumb" });
    expect(await run.ended).toEqual({ exitCode: 0 });
    expect(run.written).toContain("passed");
    expect(run.written).not.toContain("\u001b");
  });

  test("a sweep shows the step under way, and keeps a line for each earlier one", async () => {
    const { url } = await startServer();
    const times = ["--settle", "0s", "--measure", "600ms"];
    const run = startShell(["sh", "-c", bearhug("sweep", url, "--vus", "1,2", ...times)], 80, 30);
    const shown = await run.showing(/step 2 of 2: 2 connections/);
    expect(shown.filter((line) => line.startsWith("bearhug: 1 connection: "))).toHaveLength(1);
    expect(shown.filter((line) => line.includes("step "))).toHaveLength(1);
    await run.ended;
    expect(run.everything().some((line) => line.includes("step 2 of 2"))).toBe(false);
  });

  test("a search for the capacity shows the trial under way", async () => {
    const { url } = await startServer();
    const slo = ["--slo", "http_req_failed: rate<1%", "--at-least", "20/s", "--budget", "20s"];
    const run = startShell(["sh", "-c", `exec ${bearhug("capacity", url, ...slo)}`], 100, 30);
    await run.showing(/^ {2}trial 1: trying 20\.00\/s$/m);
    run.type("\u0003");
    expect(await run.ended).toEqual({ exitCode: 105 });
    expect(run.everything().some((line) => line.includes("trial 1: "))).toBe(false);
  });

  test("Ctrl+Z removes the view, and fg shows it again below the shell's output", async () => {
    const { url } = await startServer();
    const line = `${bearhug("run", testOf(url, "60s"))}; echo it has stopped; fg`;
    const run = startShell(["bash", "--norc", "-mc", line], 80, 30);
    await run.showing(/http_req_failed/);
    run.type("\u001a");
    const shown = await run.showing(/it has stopped[^]*front page/);
    expect(shown.filter((one) => one.startsWith("front page"))).toHaveLength(1);
    run.type("\u0003");
    await run.ended;
    expect(run.everything().filter((one) => one === "it has stopped")).toHaveLength(1);
    expect(run.everything().some((one) => one.includes(" left"))).toBe(false);
  });
});
