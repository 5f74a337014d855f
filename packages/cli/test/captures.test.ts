import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MockStats } from "../src/mock/mock-counts.ts";

const folder = process.env["BEARHUG_CAPTURES"] ?? "";
const captures =
  folder !== "" && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".har")) : [];

const children: ChildProcess[] = [];
let workFolder = "";

beforeEach(async () => {
  workFolder = await mkdtemp(join(tmpdir(), "bearhug-captures-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(workFolder, { recursive: true });
});

describe.skipIf(folder === "")("captures of the folder BEARHUG_CAPTURES", () => {
  test("the folder is there and has captures", () => {
    expect(captures, folder).not.toEqual([]);
  });

  test.for(captures)(
    "%s runs against its own mock, and both count the same",
    { timeout: 60_000 },
    async (name) => {
      const path = join(folder, name);
      const mock = bearhug("mock", path, "--port", "0");
      const [line] = (await once(createInterface({ input: mock.stdout }), "line")) as [string];
      const url = line.split(" ").at(-1) ?? "";

      const report = join(workFolder, "r.json");
      const run = bearhug(
        "run",
        path,
        "--target",
        url,
        "--vus",
        "5",
        "--duration",
        "5s",
        "--quiet",
        "--out",
        `json=${report}`,
      );
      const [summary, problems] = await Promise.all([text(run.stdout), text(run.stderr), once(run, "close")]);
      expect(run.exitCode, summary + problems).toBe(0);

      const stats = (await (await fetch(`${url}/__bearhug/stats`)).json()) as MockStats;
      expect(stats.unknown).toEqual({});
      const recorded = await recordedStatuses(path);
      for (const [requestLine, { statuses }] of Object.entries(stats.served)) {
        expect(recorded.get(requestLine), requestLine).toEqual(expect.arrayContaining(Object.keys(statuses)));
      }
      expect(stats.byName).toEqual(await sentByName(report));
      expect(stats.total).toBeGreaterThan(0);

      mock.kill("SIGTERM");
      expect(await once(mock, "exit")).toEqual([0, null]);
    },
  );
});

/** Starts the command line from its sources. */
function bearhug(...args: string[]) {
  const main = join(import.meta.dirname, "../src/main.ts");
  const child = spawn(process.execPath, ["--conditions=bearhug-source", main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

const harSchema = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({ method: z.string(), url: z.url() }),
        response: z.object({ status: z.number() }).optional(),
      }),
    ),
  }),
});

/** Read from the file by means of this test's own: which answers each request line may have. */
async function recordedStatuses(path: string): Promise<Map<string, string[]>> {
  const { log } = harSchema.parse(JSON.parse(await readFile(path, "utf8")));
  const statuses = new Map<string, string[]>();
  for (const { request, response } of log.entries) {
    const { pathname, search } = new URL(request.url);
    const requestLine = `${request.method} ${pathname}${search}`;
    statuses.set(requestLine, [...(statuses.get(requestLine) ?? []), String(response?.status ?? 200)]);
  }
  return statuses;
}

const resultSchema = z.object({
  accounting: z.object({ requests: z.array(z.object({ name: z.string(), sent: z.number() })) }),
});

/** What the load test says that it sent. */
async function sentByName(report: string): Promise<Record<string, number>> {
  const { accounting } = resultSchema.parse(JSON.parse(await readFile(report, "utf8")));
  return Object.fromEntries(accounting.requests.map(({ name, sent }) => [name, sent]));
}
