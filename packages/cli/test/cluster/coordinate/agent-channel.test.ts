import { InvalidInput } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { AgentChannel } from "../../../src/cluster/coordinate/agent-channel.ts";

const join = JSON.stringify({
  type: "join",
  agentId: "00000000-0000-4000-8000-000000000000",
  name: "one",
  wantedShard: null,
  claim: null,
  isReady: false,
  isLoadOver: false,
});
const leave = JSON.stringify({ type: "leave", signal: "SIGTERM" });

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** A channel whose messages are each handled when the test says so. */
function slowChannel(): {
  readonly channel: AgentChannel;
  readonly told: string[];
  readonly finish: () => Promise<void>;
} {
  const told: string[] = [];
  const finishing: (() => void)[] = [];
  const channel = new AgentChannel(
    () => ({
      send: (message) => told.push(`sent ${JSON.stringify(message)}`),
      sendBytes: () => Promise.resolve(),
      pause: () => told.push("paused"),
      resume: () => told.push("resumed"),
      close: () => told.push("closed"),
    }),
    () => 0,
    {
      handle: async (message) => {
        told.push(message.type);
        await new Promise<void>((resolve) => finishing.push(resolve));
      },
      onClock: () => undefined,
      onClose: () => told.push("gone"),
      onFailure: (error) => told.push(String(error)),
    },
  );
  const finish = async (): Promise<void> => {
    await turn();
    finishing.shift()?.();
    await turn();
  };
  return { channel, told, finish };
}

test("an agent's last words are heard, though it hangs up while those before are handled", async () => {
  const { channel, told, finish } = slowChannel();
  channel.onText(join);
  channel.onText(leave);
  channel.onClose();
  await finish();
  expect(told).toEqual(["join", "leave"]);
  await finish();
  expect(told).toEqual(["join", "leave", "gone"]);
});

test("of an agent that the coordinator wants no more, nothing is heard", async () => {
  const { channel, told, finish } = slowChannel();
  channel.onText(join);
  channel.onText(leave);
  await turn();
  channel.refuse("no");
  channel.onClose();
  await finish();
  expect(told).toEqual(["join", 'sent {"type":"refused","reason":"no"}', "closed", "gone"]);
});

test("an agent that breaks the protocol is refused, and told why", async () => {
  const told: string[] = [];
  const channel = new AgentChannel(
    () => ({
      send: (message) => told.push(JSON.stringify(message)),
      sendBytes: () => Promise.resolve(),
      pause: () => told.push("paused"),
      resume: () => told.push("resumed"),
      close: () => told.push("closed"),
    }),
    () => 0,
    {
      handle: () => Promise.reject(new InvalidInput(["There is no place."])),
      onClock: () => undefined,
      onClose: () => undefined,
      onFailure: (error) => told.push(String(error)),
    },
  );
  channel.onText(join);
  await turn();
  expect(told).toEqual(['{"type":"refused","reason":"There is no place."}', "closed"]);
});

test("an agent that sends faster than its messages are handled has to wait", async () => {
  const { channel, told, finish } = slowChannel();
  channel.onText(join);
  const record = Buffer.alloc(12 * 2 ** 20);
  for (let number = 0; number < 3; number++) channel.onBytes(record);
  expect(told).toEqual(["paused"]);
  await finish();
  await finish();
  expect(told.filter((one) => one !== "record")).toEqual(["paused", "join", "resumed"]);
});
