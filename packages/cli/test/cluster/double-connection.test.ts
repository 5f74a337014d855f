import { readdirSync, readlinkSync } from "node:fs";

import { describe, expect, onTestFinished, test } from "vitest";

import type { ConnectionEvents } from "../../src/cluster/wire/connection.ts";
import { diskAnswered, SimulatedRun } from "./simulated-run.ts";

describe.skipIf(process.platform !== "linux")("the recording of an agent that connects twice at once", () => {
  const join = JSON.stringify({
    type: "join",
    agentId: "00000000-0000-4000-8000-000000000000",
    name: "one",
    wantedShard: null,
    claim: null,
    isReady: false,
    isLoadOver: false,
  });

  async function begin(): Promise<SimulatedRun> {
    const run = await SimulatedRun.begin({ agents: 1 });
    onTestFinished(() => run.end());
    return run;
  }

  /** Opens another connection of the agent and joins on it. */
  function connect({ coordination }: SimulatedRun): ConnectionEvents {
    const channel = coordination.accept(() => ({
      send: () => undefined,
      sendBytes: () => Promise.resolve(),
      pause: () => undefined,
      resume: () => undefined,
      close: () => undefined,
    }));
    channel.onText(join);
    return channel;
  }

  /** Returns the recordings in the coordinator's folder that this process has open. */
  function openParts({ folder }: SimulatedRun): string[] {
    const paths = readdirSync("/proc/self/fd").map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`);
      } catch {
        return "closed meanwhile";
      }
    });
    return paths.filter((path) => path.startsWith(folder.part(0)));
  }

  test("is opened once", async () => {
    const run = await begin();
    connect(run);
    connect(run);
    await run.until(() => run.standings[0] === "joined");
    expect(openParts(run)).toHaveLength(1);
  });

  test.each([0, 1, 2])("is closed with the coordinator even while being opened: %i", async (turns) => {
    const run = await begin();
    connect(run);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    connect(run);
    await run.coordination.close();
    await diskAnswered();
    expect(openParts(run)).toEqual([]);
  });
});
