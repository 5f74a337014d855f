import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, expect, test } from "vitest";

import { findLogPayload } from "../../src/kubernetes/log-payload.ts";
import {
  writeTerminationMessage,
  payloadOfRecording,
  payloadOfResult,
} from "../../src/kubernetes/write-log-payload.ts";
import { passed } from "../../../report/test/passed-result.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bearhug-payload-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("the payload of a recording contains all its lines, which were compressed one by one", async () => {
  const path = join(folder, "run.ndjson.gz");
  await writeFile(path, Buffer.concat([gzipSync("head\n"), gzipSync("first\n"), gzipSync("second\n")]));
  const payload = findLogPayload(await payloadOfRecording(path));
  expect(payload).toMatchObject({ state: "whole", kind: "recording" });
  expect("content" in payload && payload.content.toString()).toBe("head\nfirst\nsecond\n");
});

test("a recording that is too large for the log is replaced by a message", async () => {
  const path = join(folder, "large.ndjson.gz");
  await writeFile(path, gzipSync(randomBytes(5 * 2 ** 20), { level: 0 }));
  const payload = await payloadOfRecording(path);
  expect(payload).toMatch(
    /^bearhug: the recording is not in this log: it would take 6\.7 MiB there, and 6\.0 MiB is the most\.\n.+\n$/,
  );
  const read = findLogPayload(payload);
  expect(read.state === "too-large" && Math.round(read.bytes / 1e6)).toBe(7);
});

test("the payload of a result contains the result", () => {
  const payload = findLogPayload(payloadOfResult(passed));
  expect("content" in payload && JSON.parse(payload.content.toString())).toEqual(
    JSON.parse(JSON.stringify(passed)),
  );
});

test("a termination message summarizes the run in at most 4 KB", async () => {
  const path = join(folder, "termination-log");
  const shard = { index: 2, count: 48 };
  await writeTerminationMessage(path, { ...passed, shard, exitCode: 109, messages: ["…".repeat(3000)] });
  const message = await readFile(path, "utf8");
  expect(message).toMatch(/^shard 3 of 48: exit code 109\n\d+ iterations, \d+ requests sent, \d+ failed\n/);
  expect(Buffer.byteLength(message)).toBeGreaterThan(4090);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
  expect(message).toMatch(/…$/);
});
