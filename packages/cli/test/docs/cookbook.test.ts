import { join } from "node:path";

import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { readResult } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { hasNginx } from "../nginx/start-nginx.ts";
import { followPage, type FollowedPage } from "./follow-page.ts";

/** The pages' commands are for a POSIX shell. */
const hasShell = process.platform !== "win32";

test.skipIf(!hasShell || !hasNginx)(
  "cookbook/cached-blog.md: a sweep of a blog with and without its cache (needs nginx)",
  async () => {
    const page = await followPage("cookbook/cached-blog.md", {
      "--vus 1,25,50,100,200,400,800,1600": "--vus 1,4 --settle 200ms --measure 1s",
      'think("500ms", "1500ms")': 'think("5ms", "15ms")',
    });
    const { sweep, accounting } = resultOf(page, "cache.json");
    const loads = [1, 4].map((vus) => ({ kind: "vus", vus }));
    expect(sweep?.targets.map(({ name, steps }) => [name, steps.map(({ load }) => load)])).toEqual([
      ["cached", loads],
      ["uncached", loads],
    ]);
    expect(accounting.requests.map(({ failed }) => failed)).toEqual([0]);
  },
);

test.skipIf(!hasShell)(
  "cookbook/compression.md: six copies of a home page, each smaller than the one before (needs a shell)",
  async () => {
    const page = await followPage("cookbook/compression.md", { "-c 4 -d 30s": "-c 1 -d 4s --turn 30ms" });
    const { variants } = resultOf(page, "home.json");
    const figures = new Map(variants?.variants.map((variant) => [variant.name, variant.figures]));
    const decoded = [...figures].map(([name, { decodedBytes }]) => [name, decodedBytes.value]);
    expect(decoded).toEqual(
      ["raw", "raw-min", "gzip", "gzip-min", "br", "br-min"].map((name) => [
        name,
        name.endsWith("-min") ? 31_297 : 53_390,
      ]),
    );
    // The last bytes of a compressed copy depend on the version of zlib.
    const sizes = [...figures.values()].flatMap(({ wireBytes }) => wireBytes.value ?? []);
    expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
    expect(new Set(sizes).size).toBe(6);
  },
);

test.skipIf(!hasShell)(
  "cookbook/http2-capacity.md: a backend's capacity and overload over HTTP/1 and HTTP/2 (needs a shell)",
  async () => {
    const page = await followPage("cookbook/http2-capacity.md", {
      // No load meets this objective, so the search ends after its first load.
      "p(95)<50ms": "p(95)<5ms",
      "--budget 2m": "--budget 20s --min-rate 100",
      "queryMs = 5;": "queryMs = 20;",
      "--rate 1000 --overload 2": "--rate 250 --overload 2 --duration 15s",
    });
    for (const file of ["http1.json", "http2.json"])
      expect(resultOf(page, file).capacity?.trials.length, file).toBeGreaterThan(0);
    for (const file of ["queues.json", "sheds.json"])
      expect(resultOf(page, file).overload?.phases.length, file).toBe(3);
    expect(resultOf(page, "sheds.json").errors.map(({ code }) => code)).toContain("HTTP_503");
  },
);

test.skipIf(!hasShell)(
  "cookbook/forty-eight-shards.md: three shards against a server that stands for the blog (needs a shell)",
  async () => {
    const server = await startServer();
    const page = await followPage("cookbook/forty-eight-shards.md", {
      "seq 48": "seq 3",
      "/48": "/3",
      // On a busy machine, three shards take ten seconds to be ready, and their monitors miss seconds.
      "+ 60)": "+ 12)",
      "--workers 1": "--workers 1 --duration 4s --allow-partial",
      '-o "$3.json"': '-o "$3.json" --allow-partial',
      'think("0s", "20s")': 'think("0s", "200ms")',
      "$(cat php.pid)": String(process.pid),
      "$(cat db.pid)": String(process.pid),
      "$(cat nginx.pid)": String(process.pid),
      // Only one of the two runs takes place, and its table is shown.
      "sh shards.sh 8092 1000 readers-1000\n": "",
      "readers-200.json readers-1000.json": "readers-200.json",
      "8092 200": "8092 7",
      "127.0.0.1:$1": new URL(server.url).host,
    });
    expect(page.commands).toHaveLength(2);
    for (const { exitCode, output } of page.commands) expect(exitCode, output).toBe(0);
    const { accounting, metrics, plan } = resultOf(page, "readers-200.json");
    expect(plan.workers).toBe(3);
    const received = [...server.counts.values()].reduce((sum, count) => sum + count, 0);
    expect(metrics["http_reqs"]?.values).toMatchObject({ count: received });
    expect(accounting.requests.map(({ failed }) => failed)).toEqual(accounting.requests.map(() => 0));
    expect(page.commands.at(-1)?.output).toMatch(/server CPU, % of a core[^]*'readers-200'/);
  },
);

test.skipIf(!hasShell)(
  "cookbook/log-in-once.md: each member logs in once, and the figures leave that out (needs a shell)",
  async () => {
    const page = await followPage("cookbook/log-in-once.md", {
      "2 ** 16": "2 ** 10",
      'duration: "4s", target: 20': 'duration: "300ms", target: 4',
      'duration: "6s", target: 20': 'duration: "500ms", target: 4',
    });
    const { accounting, checks, series } = resultOf(page, "members.json");
    expect(accounting.vuState?.requests).toMatchObject([{ name: "POST /login", started: 4, succeeded: 4 }]);
    expect(accounting.requests).toMatchObject([{ name: "GET /basket", failed: 0 }]);
    expect(series.flatMap(({ tags: { name } }) => name ?? [])).not.toContain("POST /login");
    expect(checks).toMatchObject([{ fails: 0 }]);
  },
);

/** Reads the result that a command of the page wrote. The command must have passed. */
function resultOf({ folder, commands }: FollowedPage, file: string): TestResult {
  const own = commands.find(({ line }) => line.includes(file));
  if (own === undefined) throw new TypeError(`no command of the page writes ${file}`);
  expect(own.exitCode, own.output).toBe(0);
  return readResult(join(folder, file), { exitCode: own.exitCode, stdout: own.output, stderr: "" });
}
