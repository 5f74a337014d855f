import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { executeRun } from "@bearhug/engine/run/conduct-run";
import { Interruptions } from "@bearhug/engine/run/interruptions";
import { loadUrl } from "@bearhug/engine/run/load-test";
import type { RunObserver } from "@bearhug/engine/run/run-request";
import { readRunOptions, type RunOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import { expect, onTestFinished, test } from "vitest";

import { launcherFor } from "../../src/run/launcher-for.ts";

interface EarlyEnd {
  readonly sharding?: Partial<RunOptions["sharding"]>;
  /** Called with each request, and each warning. */
  readonly onRequest?: (interruptions: Interruptions) => void;
  readonly onWarning?: (interruptions: Interruptions, text: string) => void;
}

/** Runs one virtual user for a minute, unless something ends the run early. */
async function run({ sharding = {}, onRequest, onWarning }: EarlyEnd): Promise<TestResult> {
  const interruptions = new Interruptions();
  const server = createServer((_request, response) => {
    onRequest?.(interruptions);
    response.end("hello\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const loaded = loadUrl({ method: "GET", url, headers: [], body: null });
  const options = readRunOptions({ vus: "1", duration: "1m", workers: "1" }, []);
  const observer: RunObserver = {
    onLog: () => undefined,
    onWarning: (text) => onWarning?.(interruptions, text),
  };
  return executeRun({
    loaded,
    interruptions,
    observer,
    recorder: null,
    options: { ...options, sharding: { ...options.sharding, ...sharding } },
    launch: await launcherFor(loaded, null),
  });
}

test("Ctrl+C ends a run that waits for its common start, before it sends anything", async () => {
  let requests = 0;
  const result = await run({
    sharding: { shard: { index: 0, count: 2 }, startAtMs: Date.now() + 60_000 },
    onRequest: () => requests++,
    onWarning: (interruptions, text) => {
      expect(text).toMatch(/^waiting \d+ s for --start-at$/);
      interruptions.interrupt("SIGINT");
    },
  });
  expect(result).toMatchObject({ verdict: "interrupted", exitCode: 105, metrics: {} });
  expect(result.accounting.iterations).toMatchObject({ scheduled: 0, started: 0 });
  expect(result.generator.workers).toEqual([]);
  expect(requests).toBe(0);
});

test("a load that a threshold ends does not count as interrupted, and says which threshold", async () => {
  let requests = 0;
  const result = await run({
    // By then the first request has its response: a load that is cut off before any response fails.
    onRequest: (interruptions) => {
      if (++requests === 2) interruptions.endLoad("http_reqs: count<2");
    },
  });
  expect(result).toMatchObject({
    verdict: "failed",
    exitCode: 99,
    messages: [
      expect.stringMatching(/^ended early when http_reqs: count<2 failed; it held again at the end/),
    ],
  });
  expect(result.durationMs).toBeLessThan(30_000);
  expect(result.accounting.iterations.started).toBeGreaterThan(0);
});
