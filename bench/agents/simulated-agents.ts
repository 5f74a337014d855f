// Joins a run as many agents at once, each over its own socket: `node simulated-agents.ts RECORDING AGENTS
// URL`, with the token in BEARHUG_TOKEN. Each sends the recording of a real shard as its own, one record a
// second, and applies no load. Prints "started" at the common start, and at the end a line of JSON with the
// bytes that went through its sockets.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { AgentSession } from "../../packages/cli/src/cluster/agent/agent-session.ts";
import { dialCoordinator } from "../../packages/cli/src/cluster/wire/dial.ts";
import { packRecord } from "../../packages/cli/src/cluster/wire/messages.ts";
import { Outbox } from "../../packages/cli/src/cluster/wire/records.ts";
import { systemClock } from "../../packages/plan/src/pacing/clock.ts";
import { readMembers } from "../../packages/engine/src/recording/gzip-members.ts";
import { formatHeadLine } from "../../packages/engine/src/recording/lines.ts";
import { readHead } from "../../packages/engine/src/recording/read-recording.ts";
import type { RecordingHead } from "../../packages/engine/src/recording/run-schema.ts";

const [recording = "", agents = "", url = ""] = process.argv.slice(2);

/** The records of a shard: the first describes the run. */
interface Records {
  readonly head: RecordingHead;
  readonly moments: readonly Buffer[];
}

async function readRecords(path: string): Promise<Records> {
  const head = await readHead(path);
  if (head === null) throw new Error(`${path} is no recording`);
  const bytes = readFileSync(path);
  const members: Buffer[] = [];
  let at = 0;
  for await (const { length } of readMembers(path)) {
    members.push(bytes.subarray(at, at + length));
    at += length;
  }
  return { head, moments: members.slice(1) };
}

function headOf({ head }: Records, index: number): Buffer {
  const { run, pid, host } = head;
  if (run.shard === null) throw new Error("the recording is of no shard");
  return gzipSync(formatHeadLine({ ...run, shard: { ...run.shard, index } }, { pid, host }));
}

/** Runs one agent, from joining to the last acknowledgement. */
async function takePart(records: Records, name: string): Promise<void> {
  const outbox = new Outbox();
  const members: Buffer[] = [];
  const post = async (): Promise<void> => {
    for (let number = outbox.take(); number !== null; number = outbox.take())
      await session.sendBytes(packRecord({ number, member: members[number] ?? Buffer.alloc(0) }));
  };
  const session = openSession(name, outbox, () => void post());
  const write = (member: Buffer): void => {
    members.push(member);
    outbox.write();
    void post();
  };
  const { shard } = await session.joined;
  write(headOf(records, shard.index));
  const startAtMs = await session.awaitStart();
  if (shard.index === 0) console.log("started");
  // Real machines take their snapshots at any time of the second.
  const phaseMs = Math.random() * 1000;
  for (const [second, moment] of records.moments.entries()) {
    await until(startAtMs + phaseMs + second * 1000);
    write(moment);
  }
  void session.awaitLoadsOver();
  while (!outbox.isEmpty) await until(systemClock.now() + 50);
  session.close();
}

function openSession(name: string, outbox: Outbox, post: () => void): AgentSession {
  const destination = { url: new URL(url), token: process.env["BEARHUG_TOKEN"] ?? "" };
  return new AgentSession({
    clock: systemClock,
    dial: (events) => dialCoordinator(destination, events),
    agentId: randomUUID(),
    name,
    wantedShard: null,
    joinTimeoutMs: 120_000,
    events: {
      onConnect: (applied) => {
        outbox.connect(applied);
        post();
      },
      onDisconnect: () => {
        outbox.disconnect();
      },
      onApplied: (applied) => {
        outbox.acknowledge(applied);
        post();
      },
      onStop: ({ reason }) => {
        throw new Error(`the coordinator stopped the run: ${reason}`);
      },
      onOrphaned: (reason) => {
        throw new Error(reason);
      },
    },
  });
}

function until(atMs: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.at(atMs, resolve);
  });
}

/** Returns the bytes that this process has read and written. */
function bytesOfProcess(): { readonly received: number; readonly sent: number } {
  const text = readFileSync("/proc/self/io", "utf8");
  const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1]);
  return { received: count("rchar"), sent: count("wchar") };
}

const records = await readRecords(recording);
const before = bytesOfProcess();
await Promise.all(Array.from({ length: Number(agents) }, (_, index) => takePart(records, `agent-${index}`)));
const after = bytesOfProcess();
console.log(
  JSON.stringify({
    seconds: records.moments.length,
    received: after.received - before.received,
    sent: after.sent - before.sent,
  }),
);
