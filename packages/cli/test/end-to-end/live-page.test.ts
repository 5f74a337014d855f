import { expect, test } from "vitest";

import { type Started, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
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
  const url = await readUrl(run, /see the run at (\S+)/);
  const html = await (await fetch(url)).text();
  expect(html).toContain(`"isRunning":true,"title":"watched"`);
  const events = await (await fetch(url.replace("/?", "/events?"))).text();
  const kinds = Array.from(events.matchAll(/^event: (\w+)$/gm), ([, kind]) => kind);
  expect(kinds.length).toBeGreaterThan(1);
  expect(kinds.at(-1)).toBe("end");
  expect(await (await fetch(url)).text()).toContain(`"isRunning":false,"title":"watched"`);
  run.child.kill("SIGINT");
  const { exitCode, stderr } = await run;
  expect(exitCode).toBe(99);
  expect(stderr).toContain("until you press Ctrl+C");
  await expect(fetch(url)).rejects.toThrow();

  const report = startBearhug(["report", json, "--ui"]);
  const shown = await readUrl(report, /the report stays at (\S+)/);
  expect(await (await fetch(shown)).text()).toContain(`"isRunning":false,"title":"watched"`);
  report.child.kill("SIGTERM");
  expect((await report).exitCode).toBe(0);
});

/** The address that the command prints to stderr. */
async function readUrl({ child }: Started, pattern: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const [, url] = pattern.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the command ended without an address: ${text}`);
}
