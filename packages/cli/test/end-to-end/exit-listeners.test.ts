import { expect, test } from "vitest";

import { runBearhug, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Writes a test of one request for each of two virtual users, with this code in its module. */
async function writeModule(code: string): Promise<string> {
  const { url } = await startServer();
  return writeTest(`import { isMainThread } from "node:worker_threads";
import { defineTest } from "@bearhug/sdk";
let key = "";
${code}
export default defineTest({
  baseUrl: "${url}",
  env: { KEY: { secret: true } },
  setup: ({ env }) => { key = env.KEY; },
  scenarios: {
    s: { executor: "per-vu-iterations", vus: 2, iterations: 1, exec: async ({ http, env }) => { key = env.KEY; await http.get("/"); } },
  },
});`);
}

const secret = "dk-Zq7w9x4K";
const run = async (file: string, workers: number) =>
  runBearhug(["run", file, "--workers", String(workers), "--env", `KEY=${secret}`]);

test.each([
  { workers: 2, threads: 3 },
  { workers: 0, threads: 1 },
])(
  "exit listeners of a test run at the end of each thread that has its code (--workers $workers)",
  async ({ workers, threads }) => {
    const file =
      await writeModule(`process.on("exit", () => { console.log("farewell", key); process.stdout.write("last words " + key); process.exitCode = 1; });
process.on("exit", () => { throw new Error("the last one"); });`);
    const { exitCode, stdout, stderr } = await run(file, workers);
    expect(exitCode, stderr).toBe(0);
    const output = stdout + stderr;
    expect(output.match(/farewell \*\*\*/g)).toHaveLength(threads);
    expect(output.match(/last words \*\*\*/g)).toHaveLength(threads);
    expect(output).not.toContain(secret);
  },
);

test("workers finish what their code has begun, and end although some of it never does", async () => {
  const file = await writeModule(`setInterval(() => undefined, 10);
if (!isMainThread) setTimeout(() => console.log("flushed"), 100).unref();
process.on("exit", () => { console.log("farewell"); });
process.on("exit", () => { for (;;); });`);
  const { exitCode, stderr } = await run(file, 1);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toContain("flushed");
  expect(stderr).toContain("farewell");
});
