import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Interruptions } from "@bearhug/engine/run/interruptions";
import { expect, onTestFinished, test } from "vitest";

import { runAgent } from "../../../src/cluster/agent/run-agent.ts";
import type { Dial } from "../../../src/cluster/wire/dial.ts";
import type { FromAgent } from "../../../src/cluster/wire/messages.ts";
import { SimulatedLink, SimulatedRun } from "../simulated-run.ts";

interface Interrupted {
  /** The result of `runAgent`. */
  readonly outcome: string | null;
  readonly run: SimulatedRun;
}

/**
 * Runs an agent that gets SIGTERM when it sends a message of this type or prints a warning that begins so.
 */
async function interruptedAt(moment: FromAgent["type"] | "joined as"): Promise<Interrupted> {
  const run = await SimulatedRun.begin({ agents: 2 });
  onTestFinished(() => run.end());
  const interruptions = new Interruptions();
  const link = new SimulatedLink((open) => run.coordination.accept(open));
  const dial: Dial = async (events) => {
    const connection = await link.dial(events);
    return {
      ...connection,
      send: (message) => {
        connection.send(message);
        if ("type" in message && message.type === moment) interruptions.interrupt("SIGTERM");
      },
    };
  };
  const ended = runAgent({
    clock: run.clock,
    dial,
    name: "one",
    wantedShard: null,
    joinTimeoutMs: 60_000,
    folder: mkdtempSync(join(tmpdir(), "bearhug-test-")),
    interruptions,
    observer: {
      onLog: () => undefined,
      onWarning: (text) => {
        if (text.startsWith(moment)) interruptions.interrupt("SIGTERM");
      },
    },
    conclude: () => Promise.resolve("a result"),
    onRecorded: () => Promise.resolve(),
  });
  await run.until(() => run.isOver);
  return { outcome: await ended, run };
}

test.each(["join", "joined as"] as const)(
  "an agent that gets SIGTERM at its %s has no result, and the run is cancelled at once",
  async (moment) => {
    const { outcome, run } = await interruptedAt(moment);
    expect(outcome).toBeNull();
    expect(run.coordination.state.stop).toEqual({
      reason: "one, which received SIGTERM",
      interruption: "graceful",
    });
    expect(run.standings).toEqual(["ended", "lost"]);
    expect(run.log.filter((text) => text.startsWith("problem"))).toEqual([]);
  },
);
