import { setTimeout as wait } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { every } from "@bearhug/plan/pacing/clock";
import type { Launcher, WorkerEnd, WorkerHandle } from "@bearhug/plan/protocol/launcher";
import type { FromLoadWorker, StopMode, ToLoadWorker, WorkerStart } from "@bearhug/plan/protocol/messages";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { SharedConnections } from "@bearhug/plan/protocol/shared-connections";
import { noFeeds } from "@bearhug/plan/protocol/shared-feeds";
import { SharedTickets } from "@bearhug/plan/protocol/shared-tickets";
import { describe, expect, onTestFinished, test } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { LoadRun } from "../../src/run/load-run.ts";
import { planScenarios } from "../../../plan/src/test-file/make-plan.ts";
import { portOf } from "../../src/worker/run-worker.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";
import { constantVus } from "../../../plan/test/test-file/tests-for-plans.ts";

interface SlowWorker {
  /** The time from the stop message to the worker's end. */
  readonly farewellMs: number;
  /** True if the worker's thread is blocked from the stop message on. */
  readonly isBlocked?: boolean;
  /** The time for which the whole process stands still after the stop message. */
  readonly heldUpMs?: number;
}

function slowWorker(clock: FakeClock, { farewellMs, isBlocked = false }: SlowWorker): Launcher {
  return <Sent, Received>(start: WorkerStart): WorkerHandle<Sent, Received> => {
    if (start.role !== "load") throw new TypeError("these tests have load workers alone");
    const accounting = new SharedAccounting(start.accounting);
    const { port1, port2 } = new MessageChannel();
    const inner = portOf<FromLoadWorker, ToLoadWorker>(port2);
    const endHeartbeat = every(clock, 500, () => {
      accounting.set("heartbeat", clock.now());
    });
    onTestFinished(endHeartbeat);
    inner.receive((message) => {
      if (message.type === "stop") {
        if (isBlocked) endHeartbeat();
        clock.at(clock.now() + farewellMs, () => {
          endHeartbeat();
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
    return {
      ...portOf<Sent, Received>(port1),
      ended,
      terminate,
      letEnd: () => undefined,
      leave: terminate,
      release: terminate,
      isOutOfHeap,
    };
  };
}

/** Launches workers that never become ready, and records their termination. */
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
    return {
      ...portOf<Sent, Received>(port1),
      ended,
      terminate,
      letEnd: () => undefined,
      leave: terminate,
      release: terminate,
      isOutOfHeap,
    };
  };
}

const neverInterrupted = new Promise<void>(() => {});

function loadOf(clock: FakeClock, launch: Launcher, warnings: string[] = []): LoadRun {
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
    scenarios: planScenarios([constantVus("readers")]),
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
    feeds: noFeeds,
    tickets: new SharedTickets(1),
    connections: new SharedConnections(),
    samples: null,
    secrets: [],
    onOutput: () => {},
  };
  return new LoadRun(parts, clock, {
    onMessage: () => {},
    onWarning: (text) => warnings.push(text),
  });
}

interface Stopped {
  readonly load: LoadRun;
  readonly warnings: readonly string[];
  readonly lost: readonly (string | null)[];
}

/** Stops a load after a second, cutting it off by default, and waits until its workers have ended. */
async function stopped(worker: SlowWorker, isUrgent = false, mode: StopMode = "hard"): Promise<Stopped> {
  const clock = new FakeClock();
  const warnings: string[] = [];
  const load = loadOf(clock, slowWorker(clock, worker), warnings);
  expect(await load.ready(60_000, neverInterrupted)).toBe(true);
  expect(load.isActive).toBe(false);
  const ended = load.run();
  await clock.runTo(1000);
  expect(load.isActive).toBe(true);
  load.stop(mode, isUrgent);
  expect(load.isActive).toBe(false);
  // Workers must receive the message first.
  await wait(5);
  clock.jump(worker.heldUpMs ?? 0);
  // Messages need turns of the real event loop, whatever the fake clock shows.
  for (let atMs = clock.now(); load.endedAtMs === 0; atMs += 250) {
    await wait(1);
    await clock.runTo(atMs);
  }
  await ended;
  return { load, warnings, lost: load.workers.map(({ lost }) => lost) };
}

test("a load is active for exactly as long as is planned, wherever the clock stands", async () => {
  const activeForMs = [];
  for (let run = 0; run < 50; run++) {
    const clock = new FakeClock(run * 123.456_789);
    const load = loadOf(clock, slowWorker(clock, { farewellMs: 0 }));
    await load.ready(60_000, neverInterrupted);
    void load.run();
    activeForMs.push(load.activeForMs);
    await load.dismiss();
  }
  expect(new Set(activeForMs)).toEqual(new Set([10_000]));
});

describe("workers that never become ready", () => {
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

  test("are waited for until the time limit, and no longer", async () => {
    const clock = new FakeClock();
    expect(await isLate(clock, loadOf(clock, stuckWorker([])), neverInterrupted)).toEqual([null, false]);
  });

  test("are not waited for once the user has interrupted", async () => {
    const clock = new FakeClock();
    const load = loadOf(clock, stuckWorker([]));
    expect(await load.ready(60_000, Promise.resolve())).toBe(false);
    expect(clock.armed).toBe(0);
  });

  test("are not waited for once they are lost", async () => {
    const load = loadOf(new FakeClock(), stuckWorker([]));
    await Promise.all(load.workers.map((worker) => worker.abandon("crashed")));
    expect(await load.ready(60_000, neverInterrupted)).toBe(true);
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

describe("workers that do not end at once", () => {
  test("are waited for when a threshold or the test ends the run", async () => {
    const { lost, warnings } = await stopped({ farewellMs: 1000 });
    expect([lost, warnings]).toEqual([[null, null], []]);
  });

  test("are not called slow while their graceful stop lasts", async () => {
    const { lost, warnings } = await stopped({ farewellMs: 12_000 }, false, "graceful");
    expect([lost, warnings]).toEqual([[null, null], []]);
  });

  test("are given up, and named, when the user does not want to wait", async () => {
    const { lost, load } = await stopped({ farewellMs: 1000 }, true);
    expect(lost).toEqual(Array(2).fill("did not end in time in scenario readers"));
    expect(load.endedAtMs).toBeLessThan(2000);
  });

  test("are waited for, and named, as long as their event loops turn", async () => {
    const { lost, warnings } = await stopped({ farewellMs: 25_000 });
    expect(lost).toEqual([null, null]);
    expect(warnings).toEqual([0, 1].map((id) => `worker ${id} is slow to report: waiting up to 30 s for it`));
  });

  test("are given up once their threads stand still for 5 s", async () => {
    const { lost, load } = await stopped({ farewellMs: 25_000, isBlocked: true });
    expect(lost).toEqual(Array(2).fill("had been blocked for 5 s at the end in scenario readers"));
    expect(load.endedAtMs).toBeLessThan(8000);
  });

  test("are not given up because the whole process stood still", async () => {
    const { lost, warnings } = await stopped({ farewellMs: 1000, heldUpMs: 20_000 });
    expect([lost, warnings]).toEqual([[null, null], []]);
  });

  test("are not waited for longer than the time limit", async () => {
    const { lost, load } = await stopped({ farewellMs: 60_000 });
    expect(lost).toEqual(Array(2).fill("did not end in time in scenario readers"));
    expect(load.endedAtMs).toBe(31_000);
  });
});
