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

/** Returns a channel whose messages stay in handling until the test calls `finish` for each. */
function slowChannel(): {
  readonly channel: AgentChannel;
  readonly log: string[];
  readonly finish: () => Promise<void>;
} {
  const log: string[] = [];
  const finishing: (() => void)[] = [];
  const channel = new AgentChannel(
    () => ({
      send: (message) => log.push(`sent ${JSON.stringify(message)}`),
      sendBytes: () => Promise.resolve(),
      pause: () => log.push("paused"),
      resume: () => log.push("resumed"),
      close: () => log.push("closed"),
    }),
    () => 0,
    {
      handle: async (message) => {
        log.push(message.type);
        await new Promise<void>((resolve) => finishing.push(resolve));
      },
      onClock: () => undefined,
      onClose: () => log.push("gone"),
      onFailure: (error) => log.push(String(error)),
    },
  );
  const finish = async (): Promise<void> => {
    await turn();
    finishing.shift()?.();
    await turn();
  };
  return { channel, log, finish };
}

test("an agent's last message is handled even if it disconnects while earlier ones are being handled", async () => {
  const { channel, log, finish } = slowChannel();
  channel.onText(join);
  channel.onText(leave);
  channel.onClose();
  await finish();
  expect(log).toEqual(["join", "leave"]);
  await finish();
  expect(log).toEqual(["join", "leave", "gone"]);
});

test("later messages of a refused agent are not handled", async () => {
  const { channel, log, finish } = slowChannel();
  channel.onText(join);
  channel.onText(leave);
  await turn();
  channel.refuse("no");
  channel.onClose();
  await finish();
  expect(log).toEqual(["join", 'sent {"type":"refused","reason":"no"}', "closed", "gone"]);
});

test("an agent whose message is invalid is refused, with the reason", async () => {
  const log: string[] = [];
  const channel = new AgentChannel(
    () => ({
      send: (message) => log.push(JSON.stringify(message)),
      sendBytes: () => Promise.resolve(),
      pause: () => log.push("paused"),
      resume: () => log.push("resumed"),
      close: () => log.push("closed"),
    }),
    () => 0,
    {
      handle: () => Promise.reject(new InvalidInput(["There is no place."])),
      onClock: () => undefined,
      onClose: () => undefined,
      onFailure: (error) => log.push(String(error)),
    },
  );
  channel.onText(join);
  await turn();
  expect(log).toEqual(['{"type":"refused","reason":"There is no place."}', "closed"]);
});

test("an agent that sends faster than its messages are handled is paused", async () => {
  const { channel, log, finish } = slowChannel();
  channel.onText(join);
  const record = Buffer.alloc(12 * 2 ** 20);
  for (let number = 0; number < 3; number++) channel.onBytes(record);
  expect(log).toEqual(["paused"]);
  await finish();
  await finish();
  expect(log.filter((one) => one !== "record")).toEqual(["paused", "join", "resumed"]);
});
