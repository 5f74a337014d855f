import { readFileSync } from "node:fs";

import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

import { SimulatedRun, type SimulatedAgent, type SimulationOptions } from "./simulated-run.ts";

async function begin(options: SimulationOptions): Promise<SimulatedRun> {
  const run = await SimulatedRun.begin(options);
  onTestFinished(() => run.end());
  return run;
}

/** Begins a run and waits until all its agents have started. Returns their start times. */
async function started(
  agents: number,
  options: Partial<SimulationOptions> = {},
): Promise<{ run: SimulatedRun; starts: number[] }> {
  const run = await begin({ agents, ...options });
  const starts: number[] = [];
  for (let index = 0; index < agents; index++) {
    const { session } = run.addAgent();
    void session.joined.then(() => session.awaitStart()).then((startMs) => starts.push(startMs));
  }
  await run.until(() => starts.length === agents);
  return { run, starts };
}

/** Expects the coordinator's copy of each agent's recording to equal the original. */
async function compare(run: SimulatedRun): Promise<void> {
  for (const [shard, { recording }] of run.agents.entries()) {
    const path = await recording.close();
    expect(readFileSync(run.folder.part(shard)).equals(readFileSync(path ?? ""))).toBe(true);
  }
}

async function endAll(run: SimulatedRun): Promise<void> {
  for (const { record, recording } of run.agents) {
    record();
    record(true);
    await recording.close();
  }
  await run.until(() => run.isOver && run.agents.every(({ recording }) => recording.isPosted));
}

test("agents start at the same instant, and their recordings arrive unchanged", async () => {
  const { run, starts } = await started(3);
  expect(new Set(starts).size).toBe(1);
  expect(starts[0]).toBeGreaterThan(run.clock.now() - 1000);
  expect(run.standings).toEqual(["running", "running", "running"]);
  for (const { record } of run.agents) record();
  await endAll(run);
  await compare(run);
  expect(run.standings).toEqual(["ended", "ended", "ended"]);
});

const moves = fc.tuple(
  fc.constantFrom(...(["record", "record", "cut", "down", "silence", "heal", "restart"] as const)),
  fc.nat(1),
  fc.integer({ min: 0, max: 2000 }),
);

test("each record is applied once, in order, whatever connection or process breaks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moves, { minLength: 4, maxLength: 16 }), async (sequence) => {
      const run = await SimulatedRun.begin({ agents: 2 });
      try {
        const both = [run.addAgent(), run.addAgent()];
        for (const { session } of both) void session.joined.then(() => session.awaitStart());
        await run.until(() => run.standings.every((standing) => standing === "running"));
        for (const [move, index, waitMs] of sequence) {
          const agent = both[index];
          if (move === "restart") {
            await run.killCoordinator();
            await run.pass(waitMs);
            await run.startCoordinator();
          } else if (agent !== undefined) apply(agent, move);
          await run.pass(waitMs);
        }
        for (const agent of both) {
          apply(agent, "heal");
          agent.record();
        }
        await endAll(run);
        await compare(run);
        expect(both.flatMap(({ log }) => log)).toEqual([]);
      } finally {
        await run.end();
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

function apply({ link, record }: SimulatedAgent, move: "record" | "cut" | "down" | "silence" | "heal"): void {
  if (move === "record") record();
  else if (move === "silence") link.silence();
  else if (move === "heal") link.heal();
  else {
    if (move === "down") link.isUp = false;
    link.cut();
  }
}

describe("an agent that loses its coordinator", () => {
  test("goes on until the orphan timeout, which is reported once", async () => {
    const { run } = await started(1, { orphanTimeoutMs: 60_000 });
    await run.killCoordinator();
    await run.pass(58_000);
    expect(run.agents[0]?.log).toEqual([]);
    await run.pass(10_000);
    expect(run.agents[0]?.log).toEqual([
      "orphaned: the coordinator has been silent for 60 s (--orphan-timeout)",
    ]);
  });

  test("drops a dead connection and opens another", async () => {
    const { run } = await started(2);
    run.agents[0]?.link.silence();
    await run.until(() => run.standings[0] === "silent");
    run.agents[0]?.link.heal();
    await run.until(() => run.standings[0] === "running");
    await endAll(run);
    await compare(run);
  });

  test("returns to a coordinator that has lost its files, with all of its records", async () => {
    const { run } = await started(2);
    for (const { record } of run.agents) record();
    await run.until(() => run.agents.every(({ recording }) => recording.isPosted));
    await run.killCoordinator();
    run.loseFolder();
    await run.startCoordinator();
    await run.until(() => run.standings.every((standing) => standing === "running"));
    await endAll(run);
    await compare(run);
  });

  test("stops if the coordinator now leads another run", async () => {
    const { run } = await started(1);
    await run.killCoordinator();
    run.loseFolder();
    await run.startCoordinator("another run");
    await run.until(() => run.agents[0]?.log.length === 1);
    expect(run.agents[0]?.log).toEqual([
      "orphaned: The coordinator runs another test now: another run instead of the run.",
    ]);
    expect(run.agents[0]?.session.isRefused).toBe(true);
  });
});

describe("the coordinator", () => {
  test("sends a stop to a disconnected agent when it returns", async () => {
    const { run } = await started(2);
    const [away, there] = run.agents;
    away?.link.silence();
    run.coordination.stop({ reason: "SIGINT", interruption: "graceful" });
    await run.until(() => there?.log.length === 1);
    expect(away?.log).toEqual([]);
    away?.link.heal();
    await run.until(() => away?.log.length === 1);
    run.coordination.stop({ reason: "SIGINT", interruption: "urgent" });
    await run.until(() => run.agents.every(({ log }) => log.length === 2));
    for (const { log } of run.agents) expect(log).toEqual(["stop graceful: SIGINT", "stop urgent: SIGINT"]);
  });

  test("counts a silent agent as lost 60 s after the others have ended, and not before", async () => {
    const { run } = await started(2, { orphanTimeoutMs: 60_000 });
    const [dead, alive] = run.agents;
    dead?.link.cut();
    if (dead !== undefined) dead.link.isUp = false;
    await run.until(() => run.standings[0] === "silent");
    alive?.record();
    alive?.record(true);
    await run.until(() => run.standings[1] === "ended");
    await run.pass(59_000);
    expect(run.standings).toEqual(["silent", "ended"]);
    await run.until(() => run.isOver);
    expect(run.standings).toEqual(["lost", "ended"]);
  });

  test("starts no load if agents are missing, and reports which", async () => {
    const run = await begin({ agents: 2, joinTimeoutMs: 30_000 });
    const { log } = run.addAgent();
    await run.until(() => log.length > 0);
    expect(run.log).toEqual(["end 1", "missing: 1"]);
    expect(log).toEqual(["stop graceful: the coordinator, because agents are missing"]);
  });

  test("starts without missing agents if partial runs are allowed", async () => {
    const run = await begin({ agents: 2, joinTimeoutMs: 30_000, allowsPartial: true });
    const { session } = run.addAgent();
    expect(
      await Promise.race([session.joined.then(() => session.awaitStart()), run.until(() => run.isOver)]),
    ).toEqual(expect.any(Number));
    expect(run.standings).toEqual(["running", "lost"]);
  });

  test("stops the others if one cannot run the test", async () => {
    const run = await begin({ agents: 2 });
    const [one, other] = [run.addAgent(), run.addAgent()];
    await Promise.all([one.session.joined, run.until(() => run.standings.every((of) => of === "joined"))]);
    one.session.sendProblem("A variable is missing.");
    await run.until(() => other.log.length === 1);
    expect(run.log).toEqual(["problem: A variable is missing.", "end 0"]);
    expect(other.log).toEqual(["stop graceful: the coordinator, because agent 0 ended before the start"]);
  });

  test("cancels the run if an agent leaves before it has the test", async () => {
    const run = await begin({ agents: 3 });
    const [one, other] = [run.addAgent(), run.addAgent()];
    await run.until(() => run.standings.filter((of) => of === "joined").length === 2);
    one.session.sendLeave("SIGTERM");
    await run.until(() => other.log.length === 1);
    expect(other.log).toEqual(["stop graceful: agent 0, which received SIGTERM"]);
    expect(run.log).toContain("end 0");
    expect(run.standings).toEqual(["ended", "joined", "lost"]);
    expect(run.coordination.state).toMatchObject({ startAtMs: null, stop: { interruption: "graceful" } });
  });

  test("calls the run off if an agent's load is over before the start, and then tells it that all loads are over", async () => {
    const run = await begin({ agents: 2 });
    const [one, other] = [run.addAgent(), run.addAgent()];
    const events: string[] = [];
    void other.session.joined.then(() => other.session.awaitStart()).then(() => events.push("other started"));
    await run.until(() => run.standings[1] === "ready");
    void one.session.awaitLoadsOver().then(() => events.push("one may tear down"));
    await run.until(() => other.log.length === 1);
    await run.pass(1000);
    expect(other.log).toEqual(["stop graceful: the coordinator, because agent 0 ended before the start"]);
    expect(events).toEqual([]);
    void other.session.awaitLoadsOver();
    await run.until(() => events.length > 0);
    expect(events).toEqual(["one may tear down"]);
  });

  test("calls the run off if an agent without a connection ended its load before the start", async () => {
    const run = await begin({ agents: 2 });
    const [one, other] = [run.addAgent(), run.addAgent()];
    await Promise.all([one.session.joined, other.session.joined]);
    one.link.isUp = false;
    one.link.cut();
    void one.session.awaitLoadsOver();
    await run.pass(1000);
    expect(other.log).toEqual([]);
    one.link.isUp = true;
    await run.until(() => other.log.length === 1);
    expect(other.log).toEqual(["stop graceful: the coordinator, because agent 0 ended before the start"]);
  });

  test("gives the shard of an agent that vanished before the start to a spare, which records from scratch", async () => {
    const run = await begin({ agents: 2 });
    const starts: number[] = [];
    const waits = ({ session }: SimulatedAgent): void => {
      void session.joined.then(() => session.awaitStart()).then((startMs) => starts.push(startMs));
    };
    const [gone, other] = [run.addAgent(0), run.addAgent(1)];
    await gone.session.joined;
    gone.record();
    await run.until(() => gone.recording.isPosted);
    gone.link.isUp = false;
    gone.link.cut();
    await run.until(() => run.standings[0] === "silent");
    const spare = run.addAgent();
    waits(spare);
    waits(other);
    await run.until(() => starts.length === 2);
    expect(run.standings).toEqual(["running", "running"]);
    // The coordinator must keep the spare's first record, not that of the agent it replaced.
    for (const { record, recording } of [spare, other]) {
      record();
      record(true);
      await recording.close();
    }
    await run.until(() => run.isOver && spare.recording.isPosted);
    const path = await spare.recording.close();
    expect(readFileSync(run.folder.part(0)).equals(readFileSync(path ?? ""))).toBe(true);
    gone.link.heal();
    await run.until(() => gone.session.isRefused);
  });

  test("refuses an agent that it has no shard for", async () => {
    const run = await begin({ agents: 1 });
    const [first, second, third] = [run.addAgent(), run.addAgent(), run.addAgent(5)];
    await run.until(() => second.log.length + third.log.length === 2);
    await first.session.joined;
    expect(second.log).toEqual(["refused: InvalidInput: This run has all of its agents (--agents 1)."]);
    expect(third.log).toEqual(["refused: InvalidInput: There is no shard 6 in this run (--agents 1)."]);
  });

  test("refuses setup data that is too large for a message", async () => {
    const run = await begin({ agents: 1 });
    const { session } = run.addAgent();
    await session.joined;
    expect(() => {
      session.sendSetupData(JSON.stringify("x".repeat(16 * 2 ** 20)));
    }).toThrow(/^the data of setup take 16\.0 MiB as JSON, and other agents can be given 15 MiB: /);
  });

  test("forwards setup data, even to an agent that joins later, and announces when all loads are over", async () => {
    const run = await begin({ agents: 2 });
    const first = run.addAgent();
    await first.session.joined;
    first.session.sendSetupData('{"user":1}');
    await run.pass(1000);
    const second = run.addAgent();
    const given: string[] = [];
    void second.session.joined.then(() => second.session.awaitSetupData()).then((data) => given.push(data));
    await run.until(() => given.length === 1);
    expect(given).toEqual(['{"user":1}']);
    const over: number[] = [];
    void first.session.awaitLoadsOver().then(() => over.push(0));
    await run.pass(3000);
    expect(over).toEqual([]);
    void second.session.awaitLoadsOver().then(() => over.push(1));
    await run.until(() => over.length === 2);
  });
});

test("a coordinator that cannot write ends with an error that explains how to continue", async () => {
  const { run } = await started(1);
  const ended = run.coordination.over.catch((error: unknown) => String(error));
  run.folder.save = () =>
    Promise.reject(Object.assign(new Error("ENOSPC: no space left"), { syscall: "write" }));
  run.coordination.stop({ reason: "SIGINT", interruption: "graceful" });
  expect(await ended).toMatch(
    /run: cannot be written: ENOSPC: no space left\. The agents keep their records: fix this, then continue with --resume \S+\.$/,
  );
});
