import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { command } from "../command.ts";
import { runBearhug, surroundings, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Answers slowly, so that a second of load is few requests. */
const slowly: NonNullable<Parameters<typeof startServer>[0]> = (_request, response) => {
  setTimeout(() => response.end("hello\n"), 50);
};

interface Piped {
  /** The command's own exit code. */
  readonly code: string;
  /** The command's standard error, unless it goes into the pipe. */
  readonly stderr: string;
}

/** Runs the command line in a shell's pipe: `bearhug … | reader`. */
async function pipeInto(reader: string, line: readonly string[], streams: "" | "2>&1" = ""): Promise<Piped> {
  const status = join(temporaryFolder(), "status");
  const shell = spawn(
    "sh",
    ["-c", `("$@" ${streams}; echo $? > "${status}") | ${reader}`, "sh", process.execPath, command, ...line],
    {
      stdio: ["ignore", "ignore", "pipe"],
      env: surroundings({}),
      detached: true,
    },
  );
  onTestFinished(() => {
    // Kills the shell and all that it started, if it has not ended.
    if (!existsSync(status)) process.kill(-(shell.pid ?? process.pid), "SIGKILL");
  });
  let stderr = "";
  shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  await once(shell, "close");
  while (!existsSync(status) || readFileSync(status, "utf8") === "") await delay(20);
  return { code: readFileSync(status, "utf8").trim(), stderr };
}

function testOf(url: string): string {
  return writeTest(`
    import { defineTest } from "@bearhug/sdk";
    export default defineTest({
      baseUrl: ${JSON.stringify(url)},
      scenarios: { one: { executor: "shared-iterations", vus: 1, iterations: 1, exec: async ({ http }) => {
        for (let line = 1; line <= 50; line++) console.log("line " + line);
        await http.get("/");
      } } },
    });`);
}

describe.skipIf(process.platform === "win32")("a reader who leaves", () => {
  test.each([
    ["who wants one line", "head -1"],
    ["who wants nothing", "true"],
    ["who sleeps first", "(sleep 4; cat)"],
  ])("%s changes neither the run nor its exit code", async (_, reader) => {
    const server = await startServer(slowly);
    const path = join(temporaryFolder(), "result.json");
    const line = [`${server.url}/`, "-d", "1500ms", "-c", "2", "--out", `json=${path}`];
    const passed = await pipeInto(reader, line);
    expect(passed.code, passed.stderr).toBe("0");
    expect(passed.stderr).not.toContain("EPIPE");
    expect(readFileSync(path, "utf8")).toContain(`"verdict": "passed"`);
    const failed = await pipeInto(reader, [...line, "--threshold", "http_reqs: count<1"], "2>&1");
    expect(failed.code).toBe("99");
  });

  test("stops no command, and changes no exit code", async () => {
    const server = await startServer();
    const path = testOf(server.url);
    const result = join(temporaryFolder(), "result.json");
    await runBearhug([`${server.url}/`, "-n", "5", "--out", `json=${result}`]);
    const lines: readonly [code: string, ...line: string[]][] = [
      ["0", "list", path],
      ["0", "check", path, "--no-types"],
      ["104", "check", path, "--vus", "none"],
      ["0", "try", path],
      ["0", "run", path],
      ["0", "report", result],
      ["0", "doctor"],
      ["0", "sweep", "--help"],
      ["104", "no-command"],
    ];
    for (const [code, ...line] of lines)
      expect([(await pipeInto("true", line, "2>&1")).code, ...line]).toEqual([code, ...line]);
    expect(server.counts.get("GET /")).toBe(5 + 2);
  });

  test("of stdout alone causes no EPIPE on stderr", async () => {
    const server = await startServer();
    const path = testOf(server.url);
    const { code, stderr } = await pipeInto("head -1", ["try", path]);
    expect(code).toBe("0");
    expect(stderr).not.toMatch(/EPIPE|bug in bearhug/);
  });
});

describe.skipIf(process.platform !== "linux")("output that a full disk does not take", () => {
  test.each([["list"], ["list", "--json"], ["check", "--no-types", "--json"], ["try", "--json"]])(
    "is reported with exit code 111: %j",
    async (...line) => {
      const server = await startServer();
      const { exitCode, stderr } = await fillDisk([...line, testOf(server.url)]);
      expect(exitCode).toBe(111);
      expect(stderr).toMatch(
        /(?:^|\n)bearhug: stdout could not be written: ENOSPC: no space left on device, write\n$/,
      );
      expect(stderr).not.toMatch(/bug in bearhug|node:/);
    },
  );

  test.each([
    ["run", "none.load.ts"],
    ["compare", "none.load.ts", "none.json"],
  ])("does not change the exit code and the sentences of a refusal: %s", async (name, ...files) => {
    const { exitCode, stderr } = await fillDisk([name, ...files, "--json"]);
    expect(exitCode).toBe(104);
    expect(stderr).toBe(files.map((file) => `bearhug: There is no file ${file}.\n`).join(""));
  });

  test("is reported for a comparison, too, with exit code 111", async () => {
    const server = await startServer(slowly);
    const results = ["base.json", "new.json"].map((name) => join(temporaryFolder(), name));
    for (const result of results)
      await runBearhug([`${server.url}/`, "-d", "1500ms", "-c", "2", "--out", `json=${result}`]);
    const { exitCode, stderr } = await fillDisk(["compare", ...results]);
    expect(exitCode).toBe(111);
    expect(stderr).toContain("bearhug: stdout could not be written: ENOSPC");
  });
});

/** Runs the command line with its stdout on a full disk. */
async function fillDisk(
  line: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly stderr: string }> {
  const shell = spawn("sh", ["-c", `exec "$@" > /dev/full`, "sh", process.execPath, command, ...line], {
    stdio: ["ignore", "ignore", "pipe"],
    env: surroundings({}),
  });
  let stderr = "";
  shell.stderr.setEncoding("utf8").on("data", (piece: string) => (stderr += piece));
  await once(shell, "close");
  return { exitCode: shell.exitCode, stderr };
}
