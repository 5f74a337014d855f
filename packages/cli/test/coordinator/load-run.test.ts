import { defaultHttp } from "@bearhug/sdk/internal";
import { setTimeout as wait } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";

import { describe, expect, onTestFinished, test } from "vitest";

import { builtInClients } from "../../src/clients/built-in-clients.ts";
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
    const isOutOfHeap = (): Promise<boolean> => Promise.resolve(false);
    return { ...portOf<Sent, Received>(port1), ended, terminate, release: terminate, isOutOfHeap };
  };
}

/** A worker that never gets as far as to wait for the start. */
function stuckWorker(terminated: number[]): Launcher {
  return <Sent, Received>(): WorkerHandle<Sent, Received> => {
    const { port1 } = new MessageChannel();
    let end: (end: WorkerEnd) => void = () => undefined;
    const ended = new Promise<WorkerEnd>((resolve) => {
      end = resolve;
    });
    const terminate = async (): Promise<void> => {
      terminated.push(1);
      port1.close();
      end({ error: null, exitCode: 1 });
    };
    onTestFinished(() => {
      port1.close();
    });
    const isOutOfHeap = (): Promise<boolean> => Promise.resolve(false);
    return { ...portOf<Sent, Received>(port1), ended, terminate, release: terminate, isOutOfHeap };
  };
}

const nobody = new Promise<void>(() => {});

function loadOf(clock: FakeClock, launch: Launcher): LoadRun {
  const plan = {
    testName: "t",
    seed: 1,
    baseUrl: null,
    allowHosts: [],
    allowUnmeasured: false,
    movedHosts: null,
    env: {},
    http: defaultHttp,
    secrets: [],
    clients: builtInClients,
    metrics: {},
    scenarios: numberWork([constantVus("readers")]),
    tags: {},
    workers: 2,
    sharedConnections: null,
    warmupMs: 0,
    maxDataBytes: null,
  };
  const url = { method: "GET", url: "http://127.0.0.1/", headers: [], body: null };
  const parts = {
    launch,
    source: { kind: "url", requests: [url] } as const,
    plan,
    data: null,
    feedRows: null,
    tickets: new SharedTickets(1),
    samples: null,
    secrets: [],
    onOutput: () => {},
  };
  return new LoadRun(parts, clock, { onMessage: () => {}, onWarning: () => {} });
}

async function stopped(farewellMs: number, isUrgent: boolean): Promise<LoadRun> {
  const clock = new FakeClock();
  const load = loadOf(clock, slowWorker(clock, farewellMs));
  expect(await load.ready(60_000, nobody)).toBe(true);
  expect(clock.armed).toBe(0);
  expect(load.isActive).toBe(false);
  const ended = load.run();
  await clock.runTo(1000);
  expect(load.isActive).toBe(true);
  load.stop("hard", isUrgent);
  expect(load.isActive).toBe(false);
  // Messages take turns of the real event loop, whatever the clock shows.
  for (let atMs = 1000; atMs <= 6000; atMs += 250) {
    await wait(5);
    await clock.runTo(atMs);
  }
  await ended;
  return load;
}

describe("workers that do not come to wait for the start", () => {
  const isLate = async (clock: FakeClock, load: LoadRun, interrupted: Promise<void>) => {
    let isReady: boolean | null = null;
    const waited = load.ready(60_000, interrupted).then((ready) => {
      isReady = ready;
    });
    await clock.runTo(59_999);
    const before: unknown = isReady;
    await clock.runTo(60_000);
    await waited;
    return [before, isReady];
  };

  test("are waited for as long as is promised, and no longer", async () => {
    const clock = new FakeClock();
    expect(await isLate(clock, loadOf(clock, stuckWorker([])), nobody)).toEqual([null, false]);
  });

  test("are not waited for once the user has interrupted", async () => {
    const clock = new FakeClock();
    const load = loadOf(clock, stuckWorker([]));
    expect(await load.ready(60_000, Promise.resolve())).toBe(false);
    expect(clock.armed).toBe(0);
  });

  test("are waited for no longer when they were lost", async () => {
    const load = loadOf(new FakeClock(), stuckWorker([]));
    await Promise.all(load.workers.map((worker) => worker.abandon("crashed")));
    expect(await load.ready(60_000, nobody)).toBe(true);
    expect(load.workers.map(({ isReady }) => isReady)).toEqual([false, false]);
  });

  test("are ended when dismissed, and not called lost", async () => {
    const terminated: number[] = [];
    const load = loadOf(new FakeClock(), stuckWorker(terminated));
    await load.dismiss();
    await Promise.all(load.workers.map(({ done }) => done));
    await wait(5);
    expect(terminated).toHaveLength(2);
    expect(load.workers.map(({ isRunning, lost }) => [isRunning, lost])).toEqual(
      Array(2).fill([false, null]),
    );
  });
});

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
