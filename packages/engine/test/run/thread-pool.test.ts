import type {
  DefinitionWorkerStart,
  FromDefinitionWorker,
  ToDefinitionWorker,
} from "@bearhug/plan/protocol/messages";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { expect, onTestFinished, test } from "vitest";

import { ThreadPool } from "../../src/run/thread-pool.ts";

function startFor(url: string): DefinitionWorkerStart {
  return {
    role: "definition",
    source: { kind: "url", requests: [{ method: "GET", url, headers: [], body: null }] },
    setupAccounting: new SharedAccounting().buffer,
    teardownAccounting: new SharedAccounting().buffer,
    variables: { commandLine: {}, file: {}, environment: {} },
    clientMetrics: {},
    secrets: [],
  };
}

test("a worker runs in the thread that booted for it, and the next one in a new thread", async () => {
  let started = 0;
  const count = () => started++;
  process.on("worker", count);
  onTestFinished(() => void process.off("worker", count));
  const threads = new ThreadPool([]);
  onTestFinished(() => threads.close());
  threads.bootDefinition();
  const targets = ["http://127.0.0.1:1", "http://127.0.0.1:2"].map(async (origin) => {
    const worker = threads.launch<ToDefinitionWorker, FromDefinitionWorker>(
      startFor(`${origin}/`),
      () => undefined,
    );
    onTestFinished(() => worker.terminate());
    const message = await new Promise<FromDefinitionWorker>((resolve) => {
      worker.receive(resolve);
    });
    return message.type === "described" ? message.test.baseUrl : message;
  });
  expect(await Promise.all(targets)).toEqual(["http://127.0.0.1:1", "http://127.0.0.1:2"]);
  expect(started).toBe(2);
});
