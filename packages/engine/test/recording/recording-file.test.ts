import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { InvalidInput } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import type { RecordedMoment } from "../../src/outcome/run-record.ts";
import { formatMomentLine } from "../../src/recording/lines.ts";
import { readMembers } from "../../src/recording/gzip-members.ts";
import { RecordingFile } from "../../src/recording/recording-file.ts";
import { isCompressed, readRecording } from "../../src/recording/read-recording.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";
import { recordedMoment, recordedRun } from "./recorded.ts";

async function record(seconds: number, folder = temporaryFolder(), run = recordedRun): Promise<string> {
  const warnings: string[] = [];
  const file = new RecordingFile(folder, (text) => warnings.push(text));
  file.begin(run);
  for (let second = 0; second < seconds; second++) file.add(recordedMoment(second));
  const path = await file.close();
  if (path === null) throw new Error(warnings.join());
  return path;
}

test("the name of a recording has the fingerprint of the test's code, if the code is in a file", async () => {
  const { fingerprint: _, ...ofUrl } = recordedRun;
  expect(await record(1, temporaryFolder(), { ...ofUrl, fingerprint: "c0de" })).toMatch(
    /Z-\d+-c0de\.ndjson\.gz$/,
  );
  expect(await record(1, temporaryFolder(), ofUrl)).toMatch(/Z-\d+\.ndjson\.gz$/);
});

async function readMoments(path: string): Promise<RecordedMoment[]> {
  const { moments } = await readRecording(path);
  const read: RecordedMoment[] = [];
  for await (const moment of moments) read.push(moment);
  return read;
}

describe("a recording", () => {
  test("is read back as it was written, second by second", async () => {
    const path = await record(3);
    const { head } = await readRecording(path);
    expect(head.run).toEqual(recordedRun);
    expect(head.pid).toBe(process.pid);
    expect(await readMoments(path)).toEqual([0, 1, 2].map(recordedMoment));
    expect(await isCompressed(path)).toBe(true);
  });

  test.each(["ms", "bytes", "%", "bytes/s", "/s", null] as const)(
    "is read back with a client's metric in %s",
    async (unit) => {
      const roles = { operations: "pings", failed: "ping_failed", duration: "ping", responseTime: "ping" };
      const metrics = { ping_load: { type: "gauge", unit, isDetail: false } } as const;
      const plan = { ...recordedRun.plan!, clients: [{ name: "ping", metrics, roles }] };
      const run = { ...recordedRun, plan };
      expect((await readRecording(await record(0, temporaryFolder(), run))).head.run).toEqual(run);
    },
  );

  test.each([
    [true, "data"],
    [false, null],
  ])("from before there were several limits is read: hasReceivedEnough %s", async (enough, endedBy) => {
    const path = await record(1);
    const written = gunzipSync(readFileSync(path)).toString();
    const older = written.replace('"endedBy":null', `"hasReceivedEnough":${enough}`);
    expect(older).not.toBe(written);
    writeFileSync(path, gzipSync(older));
    const [moment] = await readMoments(path);
    expect(moment?.state).toEqual({ ...recordedMoment(0).state, endedBy });
    expect(moment?.state).not.toHaveProperty("hasReceivedEnough");
  });

  test("from before the threshold that ended a load was recorded is read", async () => {
    const path = await record(1);
    const written = gunzipSync(readFileSync(path)).toString();
    const older = written.replace('"abortedBy":null,', "");
    expect(older).not.toBe(written);
    writeFileSync(path, gzipSync(older));
    expect((await readMoments(path))[0]?.state).toEqual(recordedMoment(0).state);
  });

  test("from before checks had groups is read", async () => {
    const path = await record(1);
    const fault = { check: "is a shop", scenario: "visit", page: null, message: "no text", firstAtMs: 5 };
    const faults = JSON.stringify([{ ...fault, position: null, count: 2 }]);
    const written = gunzipSync(readFileSync(path)).toString();
    const older = written.replace('"checkFaults":[]', `"checkFaults":${faults}`);
    expect(older).not.toBe(written);
    writeFileSync(path, gzipSync(older));
    expect(JSON.stringify(await readMoments(path))).toContain('"check":"is a shop"');
    expect(JSON.stringify(await readMoments(path))).toContain('"group":null');
  });

  test("is a gzip file that any tool opens, readable by its user alone", async () => {
    const folder = join(temporaryFolder(), "made", "for", "it");
    const path = await record(2, folder);
    expect(gunzipSync(readFileSync(path)).toString().trimEnd().split("\n")).toHaveLength(3);
    if (process.platform === "win32") return;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("that was cut short anywhere is read up to its last whole second", async () => {
    const path = await record(4);
    const whole = readFileSync(path);
    const firstMember = readFileSync(await record(0)).length;
    let before = 4;
    for (let length = whole.length; length > firstMember; length -= 17) {
      truncateSync(path, length);
      const moments = await readMoments(path);
      expect(moments).toEqual([0, 1, 2, 3].slice(0, moments.length).map(recordedMoment));
      expect(moments.length).toBeLessThanOrEqual(before);
      before = moments.length;
    }
    expect(before).toBe(0);
  });

  test("with a line of another form is read up to that line", async () => {
    const path = await record(2);
    appendFileSync(path, gzipSync(`{"inputs":"none"}\n`));
    appendFileSync(path, gzipSync(formatMomentLine(recordedMoment(2), 4)));
    expect(await readMoments(path)).toHaveLength(2);
  });

  test("that ends in rubbish keeps everything before it", async () => {
    const path = await record(25);
    appendFileSync(path, "not compressed at all");
    expect(await readMoments(path)).toEqual(
      Array.from({ length: 25 }, (_, second) => recordedMoment(second)),
    );
  });

  test("with four broken bytes anywhere is read up to them", async () => {
    const path = await record(3);
    const whole = readFileSync(path);
    const heads = await Promise.all(
      [0, 1, 2, 3].map(async (seconds) => statSync(await record(seconds)).size),
    );
    for (let at = heads[0] ?? 0; at < whole.length - 4; at += 13) {
      const broken = Buffer.from(whole);
      for (let byte = at; byte < at + 4; byte++) broken[byte] = (broken[byte] ?? 0) ^ 0xa5;
      writeFileSync(path, broken);
      expect((await readRecording(path)).head.run).toEqual(recordedRun);
      // In a member's header, the fields for time and system may have any value.
      const whollyBefore = heads.filter((end) => end <= at).length - 1;
      const moments = await readMoments(path);
      expect(moments.length, `at ${at}`).toBeGreaterThanOrEqual(whollyBefore);
      expect(moments.length, `at ${at}`).toBeLessThanOrEqual(3);
      expect(moments).toEqual([0, 1, 2].slice(0, moments.length).map(recordedMoment));
    }
  });

  test("with a member larger than a chunk of the file is read to its end", async () => {
    const path = await record(1);
    const noise = Array.from({ length: 60_000 }, (_, at) => Math.sin(at)).join();
    appendFileSync(path, gzipSync(`${noise}\n`));
    const { moments } = await readRecording(path);
    for await (const moment of moments) expect(moment).toEqual(recordedMoment(0));
    const members: number[] = [];
    for await (const member of readMembers(path)) members.push(member.content.length);
    expect(members.at(-1)).toBe(noise.length + 1);
  });

  test.each([
    ["empty", Buffer.alloc(0)],
    ["not a recording", gzipSync("hello\n")],
    ["another program's", gzipSync(`{"schema":"other@1"}\n`)],
    ["half a gzip header", Buffer.from([0x1f, 0x8b, 8])],
  ])("that is %s is refused", async (_, content) => {
    const path = join(temporaryFolder(), "file.gz");
    writeFileSync(path, content);
    await expect(readRecording(path)).rejects.toThrow(InvalidInput);
  });

  test("is gone when it is removed", async () => {
    const folder = temporaryFolder();
    const file = new RecordingFile(folder, () => undefined);
    file.begin(recordedRun);
    file.add(recordedMoment(0));
    await file.remove();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("where nothing can be written", () => {
  test.skipIf(process.platform === "win32").each([
    ["below a file", "/dev/null/cache", "ENOTDIR"],
    ["where no folder can be", "/proc/nowhere/cache", "ENOENT"],
  ])("%s, there is one warning, and no error is thrown", async (_, folder, code) => {
    const warnings: string[] = [];
    const file = new RecordingFile(folder, (text) => warnings.push(text));
    file.begin(recordedRun);
    for (let second = 0; second < 5; second++) file.add(recordedMoment(second));
    expect(await file.close()).toBeNull();
    await file.remove();
    expect(warnings).toEqual([expect.stringContaining(code)]);
    expect(warnings[0]).toContain("this run continues");
  });

  test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "in a read-only folder, there is one warning",
    async () => {
      const folder = join(temporaryFolder(), "sealed");
      mkdirSync(folder);
      chmodSync(folder, 0o500);
      const warnings: string[] = [];
      const file = new RecordingFile(folder, (text) => warnings.push(text));
      file.begin(recordedRun);
      expect(await file.close()).toBeNull();
      expect(warnings).toEqual([expect.stringContaining("EACCES")]);
    },
  );

  test("the recording is given up if the disk does not keep up, instead of filling the memory", async () => {
    const warnings: string[] = [];
    const file = new RecordingFile(temporaryFolder(), (text) => warnings.push(text));
    file.begin(recordedRun);
    // All at once, before the disk can write any of them.
    for (let second = 0; second < 1000; second++) file.add(recordedMoment(second));
    expect(await file.close()).toBeNull();
    expect(warnings).toEqual([expect.stringContaining("cannot keep up")]);
  });
});
