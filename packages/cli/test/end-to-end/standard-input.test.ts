import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { InvalidInput } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import * as bench from "../../src/commands/bench/bench.ts";
import * as compare from "../../src/commands/compare/compare.ts";
import * as merge from "../../src/commands/report/merge.ts";
import * as run from "../../src/commands/run/run.ts";
import { validateCommandLine } from "../../src/commands/command-line/validate-command-line.ts";
import { command } from "../command.ts";
import { readResult, surroundings, temporaryFolder } from "./run-bearhug.ts";

/** Runs the command line in a folder, with this on its standard input. */
async function pipe(input: string | Uint8Array, arguments_: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [command, ...arguments_], { cwd, env: surroundings({}) });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const ended = once(child, "close");
  // A command line that is refused does not read its input.
  child.stdin.on("error", () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = (await ended) as [number];
  return { exitCode, stdout, stderr };
}

async function startServer() {
  const requests: string[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
      bodies.push(Buffer.concat(chunks).toString("latin1"));
      response.end("ok");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, bodies };
}

describe("a dash is standard input", () => {
  test("for a test, which imports from the working folder, and for a result", async () => {
    const server = await startServer();
    const folder = temporaryFolder();
    writeFileSync(join(folder, "paths.ts"), 'export const path: string = "/from-a-module";');
    const code = `import { defineTest } from "@bearhug/sdk";
import { path } from "./paths.ts";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { s: { executor: "shared-iterations", exec: ({ http }) => http.get(path) } },
});`;
    const ran = await pipe(code, ["run", "-", "--out", "json=result.json"], folder);
    expect([ran.exitCode, server.requests]).toEqual([0, ["GET /from-a-module"]]);
    const { test } = readResult(join(folder, "result.json"), ran);
    expect(test.name).toBe("stdin");
    const result = readFileSync(join(folder, "result.json"));
    const reported = await pipe(result, ["report", "-"], folder);
    expect([reported.exitCode, reported.stderr]).toEqual([0, ""]);
    expect(reported.stdout).toContain("/from-a-module");
    const broken = await pipe(`${code}\nexport const x = ;`, ["check", "-"], folder);
    expect(broken.exitCode).toBe(104);
    expect(broken.stderr).toContain("stdin:7:18: ");
  });

  test("for a body and for a list of URLs", async () => {
    const server = await startServer();
    const folder = temporaryFolder();
    const body = await pipe(Buffer.from([0, 255, 10]), [`${server.url}/in`, "-n", "1", "-p", "-"], folder);
    expect([body.exitCode, server.bodies]).toEqual([0, ["\u0000\u00ff\n"]]);
    const list = `POST ${server.url}/listed\n`;
    const urls = await pipe(list, ["bench", "--urls", "-", "-n", "1", "--body", "@body.txt"], folder);
    expect([urls.exitCode, urls.stderr]).toEqual([
      104,
      "bearhug: -b @body.txt: there is no file body.txt.\n",
    ]);
    expect((await pipe(list, ["bench", "--urls", "-", "-n", "1"], folder)).exitCode).toBe(0);
    expect(server.requests).toEqual(["POST /in", "POST /listed"]);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!hasScript)("a terminal as standard input is refused at once (needs util-linux's script)", () => {
  const folder = temporaryFolder();
  const { stdout } = spawnSync("script", ["-qec", `"${process.execPath}" "${command}" run -`, "/dev/null"], {
    cwd: folder,
    env: surroundings({}),
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(stdout.trim()).toBe(
    "bearhug: -: standard input is a terminal. Pipe something into it, or name a file.",
  );
});

interface CommandModule {
  readonly createCommand: typeof run.createCommand;
}

test.for<[CommandModule, string[], string]>([
  [run, ["-", "-"], "-, -"],
  [run, ["-", "--baseline", "-"], "-, --baseline -"],
  [bench, ["http://127.0.0.1:1/", "--urls=-", "-p-"], "--urls -, -p -"],
  [bench, ["http://127.0.0.1:1/", "--urls", "-", "--body", "@-"], "--urls -, --body @-"],
  [compare, ["-", "-"], "-, -"],
  [compare, ["-", "--new", "-"], "-, --new -"],
  [merge, ["-", "-"], "-, -"],
])("standard input can be read only once: %s %j is refused", ([module, line, places]) => {
  try {
    validateCommandLine(module.createCommand(), line, () => [], {});
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    expect(error.problems).toEqual([
      `${places}: standard input can be read only once. Save it to a file, and name that.`,
    ]);
  }
});

test.for<[CommandModule, string[]]>([
  [bench, ["http://127.0.0.1:1/", "--body", "-", "-H", "-"]],
  [compare, ["-", "new.json"]],
])("a dash that only looks like standard input is not counted: %s %j", ([module, line]) => {
  expect(() => {
    validateCommandLine(module.createCommand(), line, () => [], {});
  }).not.toThrow();
});
