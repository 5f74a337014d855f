import { expect, test } from "vitest";

import { readUrl } from "./read-url.ts";
import { startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("--ui shows the run and its report, stays until Ctrl-C, and keeps the verdict's exit code", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "watched", baseUrl: "${server.url}",
  scenarios: { visits: { executor: "constant-vus", vus: 1, duration: "1200ms",
    exec: async ({ http, sleep }) => { await http.get("/"); await sleep("50ms"); } } },
  thresholds: { http_reqs: ["count>1000000"] },
});`);
  const json = `${temporaryFolder()}/result.json`;
  const run = startBearhug(["run", file, "--workers", "0", "--ui", "--out", `json=${json}`]);
  const staysAt = readUrl(run, /the report stays at (\S+) until you press Ctrl\+C/);
  const url = await readUrl(run, /watch the run at (\S+)/);
  const html = await (await fetch(url)).text();
  expect(html).toContain(`"isRunning":true,"title":"watched"`);
  const events = await (await fetch(url.replace("/?", "/events?"))).text();
  const kinds = Array.from(events.matchAll(/^event: (\w+)$/gm), ([, kind]) => kind);
  expect(kinds.length).toBeGreaterThan(1);
  expect(kinds.at(-1)).toBe("end");
  expect(await (await fetch(url)).text()).toContain(`"isRunning":false,"title":"watched"`);
  await staysAt;
  run.child.kill("SIGINT");
  expect((await run).exitCode).toBe(99);
  await expect(fetch(url)).rejects.toThrow();

  const report = startBearhug(["report", json, "--ui"]);
  const shown = await readUrl(report, /the report stays at (\S+)/);
  expect(await (await fetch(shown)).text()).toContain(`"isRunning":false,"title":"watched"`);
  report.child.kill("SIGTERM");
  expect((await report).exitCode).toBe(0);
});
