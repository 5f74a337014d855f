import { expect, test } from "vitest";

import { defineTest } from "../../src/index.ts";
import "../../src/vitest.ts";
import { runTest } from "../../../engine/test/run/awaited-run.ts";
import { serveHello } from "../../../engine/test/run/hello-server.ts";

const url = await serveHello();

const short = { executor: "per-vu-iterations", vus: 2, iterations: 5 } as const;

const visits = defineTest({
  baseUrl: url,
  scenarios: { visits: { ...short, exec: ({ http }) => http.get("/") } },
  thresholds: { http_req_failed: ["rate<1%"] },
});

test("a run leaves the process as it was", async () => {
  const state = () => ({
    listeners: process.eventNames().map((name) => [name, process.listenerCount(String(name))]),
    exitCode: process.exitCode,
    exit: Object.getOwnPropertyDescriptor(process, "exit"),
    write: Object.getOwnPropertyDescriptor(process.stdout, "write"),
    fetch: globalThis.fetch,
  });
  await runTest(visits);
  const before = state();
  const openBefore = process.getActiveResourcesInfo().length;
  await runTest(visits, { thresholds: { http_reqs: "count>1000" } });
  expect(state()).toEqual(before);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(openBefore);
});

test("a run whose setup never ends leaves the process as it was", async () => {
  const stuck = defineTest({
    baseUrl: "http://127.0.0.1:9/",
    setupTimeout: "200ms",
    setup: () => new Promise(() => undefined),
    scenarios: { visits: { ...short, exec: ({ http }) => http.get("/") } },
  });
  process.setSourceMapsEnabled(true);
  const state = () => ({
    fetch: globalThis.fetch,
    stackTraceLimit: Error.stackTraceLimit,
    sourceMaps: process.sourceMapsEnabled,
  });
  const before = state();
  expect(await runTest(stuck)).toMatchObject({ exitCode: 107 });
  expect(state()).toEqual(before);
  expect(await (await fetch(url)).text()).toBe("hello\n");
});

test("runTest refuses a second run in the same thread until the first has ended", async () => {
  const { fetch } = globalThis;
  const [first, second] = await Promise.allSettled([runTest(visits), runTest(visits)]);
  expect(first).toMatchObject({ status: "fulfilled", value: { verdict: "passed" } });
  expect(second).toMatchObject({
    reason: {
      problems: ["runTest: another run in this thread has not ended. Await it before the next."],
    },
  });
  expect(globalThis.fetch).toBe(fetch);
  expect(await runTest(visits)).toMeetThresholds();
});
