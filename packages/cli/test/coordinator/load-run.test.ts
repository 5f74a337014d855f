import { setTimeout as wait } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";

import { describe, expect, onTestFinished, test } from "vitest";

import { LoadRun } from "../../src/coordinator/load-run.ts";
import type { Launcher, WorkerEnd, WorkerHandle } from "../../src/protocol/launcher.ts";
import type { FromLoadWorker, ToLoadWorker } from "../../src/protocol/messages.ts";
import { SharedTickets } from "../../src/protocol/shared-tickets.ts";
import { numberWork } from "../../src/test-file/work-numbering.ts";
import { portOf } from "../../src/worker/message-port.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { constantVus } from "../test-file/tests-for-plans.ts";

/** A worker that needs `farewellMs` to end once it is stopped. */
function slowWorker(clock: FakeClock, farewellMs: number): Launcher {
  return <Sent, Received>(): WorkerHandle<Sent, Received> => {
    const { port1, port2 } = new MessageChannel();
    const inner = portOf<FromLoadWorker, ToLoadWorker>(port2);
    inner.receive((message) => {
      if (message.type === "stop") {
        clock.at(clock.now() + farewellMs, () => {
          inner.send({ type: "finished" });
        });
      }
    });
    inner.send({ type: "ready" });
    let end: (end: WorkerEnd) => void = () => undefined;
    const ended = new Promise<WorkerEnd>((resolve) => {
      end = resolve;
    });
    const terminate = async (): Promise<void> => {
      port1.close();
      end({ error: null, exitCode: 1 });
    };
    onTestFinished(terminate);
    return { ...portOf<Sent, Received>(port1), ended, terminate, isOutOfHeap: () => Promise.resolve(false) };
  };
}

async function stopped(farewellMs: number, isUrgent: boolean): Promise<LoadRun> {
  const clock = new FakeClock();
  const plan = {
    testName: "t",
    seed: 1,
    baseUrl: null,
    allowHosts: [],
    env: {},
    metrics: {},
    scenarios: numberWork([constantVus("readers")]),
    tags: {},
    workers: 2,
  };
  const url = { method: "GET", url: "http://127.0.0.1/", headers: [], body: null };
  const parts = {
    launch: slowWorker(clock, farewellMs),
    source: { kind: "url", request: url } as const,
    plan,
    data: null,
    tickets: new SharedTickets(1),
    onOutput: () => {},
  };
  const load = new LoadRun(parts, clock, { onMessage: () => {}, onWarning: () => {} });
  await load.ready();
  const ended = load.run();
  await clock.runTo(1000);
  load.stop("hard", isUrgent);
  // Messages take turns of the real event loop, whatever the clock shows.
  for (let atMs = 1000; atMs <= 6000; atMs += 250) {
    await wait(5);
    await clock.runTo(atMs);
  }
  await ended;
  return load;
}

describe("workers that take a second to end", () => {
  test("are waited for when a threshold or the test ends the run", async () => {
    const { workers } = await stopped(1000, false);
    expect(workers.map(({ lost }) => lost)).toEqual([null, null]);
  });

  test("are given up, and named, when the user does not want to wait", async () => {
    const { workers } = await stopped(1000, true);
    expect(workers.map(({ lost }) => lost)).toEqual(Array(2).fill("did not end in time in scenario readers"));
  });

  test("are not waited for longer than is promised", async () => {
    const { workers, endedAtMs } = await stopped(60_000, false);
    expect(workers.map(({ isRunning }) => isRunning)).toEqual([false, false]);
    expect(workers[0]?.lost).toContain("did not end in time");
    expect(endedAtMs).toBeLessThanOrEqual(1000 + 5000);
  });
});
