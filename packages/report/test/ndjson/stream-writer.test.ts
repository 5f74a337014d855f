import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { SharedSamples } from "@bearhug/plan/protocol/shared-samples";
import type { NdjsonLine } from "@bearhug/sdk";
import { eachOpeningPhase } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

import { LineFile } from "../../src/ndjson/line-file.ts";
import { StreamWriter } from "../../src/ndjson/stream-writer.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";
import { schemaErrors } from "../../../cli/test/published-schema.ts";
import { passed } from "../results.ts";
import { snapshotOf } from "../snapshot-of.ts";

const { test: named, seed, plan, verdict, exitCode, messages, notes } = passed;
const end = { verdict, exitCode, messages, notes };
const timings = {
  blocked: 0.1234567,
  ...eachOpeningPhase(() => 0),
  sending: 0.1,
  waiting: 5,
  receiving: 1,
  duration: 6.1,
  responseTime: 6.2,
};
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const usual = { calledAt: 10, status: 200, timings, bytesSent: 70, bytesReceived: 512, traceId };
const tags = { name: 'GET /"x"', scenario: "s", status: "200", method: "GET" };

async function open(hasSamples: boolean): Promise<{ writer: StreamWriter; read: () => NdjsonLine[] }> {
  const path = join(temporaryFolder(), "run.ndjson");
  const file = await LineFile.open(path, (error) => {
    throw error;
  });
  const read = (): NdjsonLine[] => {
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const parsed = lines.map((line) => JSON.parse(line) as NdjsonLine);
    for (const line of parsed) expect([line, schemaErrors("ndjson.schema.json", line)]).toEqual([line, []]);
    return parsed;
  };
  return { writer: new StreamWriter(file, { path, hasSamples }), read };
}

test("a run is written as a line for its start, one for each interval, and one for its end", async () => {
  const { writer, read } = await open(false);
  writer.take({ type: "run", run: { test: named, seed, plan } });
  const series = [{ type: "counter", metric: "http_reqs", unit: null, tags: {}, sum: 1 }] as const;
  writer.take({ type: "interval", snapshot: snapshotOf({ series }) });
  await writer.end(end, nextTurn);
  expect(read()).toEqual([
    {
      type: "run",
      schema: "bearhug/ndjson@1",
      time: expect.any(Number) as number,
      test: named,
      seed,
      plan,
    },
    { type: "interval", time: expect.any(Number) as number, ...snapshotOf() },
    { type: "end", time: expect.any(Number) as number, ...end, samples: null },
  ]);
});

test("samples are held until their kind is defined, and are written before the end", async () => {
  const { writer, read } = await open(true);
  const ring = new SharedSamples();
  writer.take({ type: "join", workerId: 0, ring: ring.buffer });
  ring.add({ ...usual, kind: 0 });
  ring.add({ ...usual, kind: 1, status: 0, timings: null, traceId: null });
  expect(writer.writeSamples()).toBe(0);
  writer.define(0, { id: 0, tags, error: null });
  expect(writer.writeSamples()).toBe(1);
  writer.define(0, { id: 1, tags: { ...tags, status: "0" }, error: "ECONNREFUSED" });
  await writer.end(end, nextTurn);
  const [first, second, last] = read();
  const rest = {
    name: 'GET /"x"',
    tags: { scenario: "s", method: "GET" },
    bytesSent: 70,
    bytesReceived: 512,
  };
  expect(first).toMatchObject({
    ...rest,
    status: 200,
    error: null,
    timings: { ...timings, blocked: 0.123 },
    traceId,
  });
  expect(second).toMatchObject({ ...rest, status: 0, error: "ECONNREFUSED", timings: null });
  expect(second).not.toHaveProperty("traceId");
  expect(last).toMatchObject({ type: "end", samples: { written: 2, shed: 0 } });
});

test("the last line counts samples that were shed, and those whose kind a lost worker did not define", async () => {
  const { writer, read } = await open(true);
  const ring = new SharedSamples();
  writer.take({ type: "join", workerId: 0, ring: ring.buffer });
  writer.define(0, { id: 0, tags, error: null });
  let added = 0;
  while (ring.shed < 5) ring.add({ ...usual, kind: added++ < 10_000 ? 0 : 1 });
  await writer.end(end, nextTurn);
  expect(read().at(-1)).toMatchObject({ samples: { written: 10_000, shed: added - 10_000 } });
});
