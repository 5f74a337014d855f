import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { expect, onTestFinished, test } from "vitest";

import { PartFile } from "../../../src/cluster/coordinate/part-file.ts";
import type { PostedRecord } from "../../../src/cluster/wire/messages.ts";
import { formatMomentLine, formatHeadLine } from "../../../../engine/src/recording/lines.ts";
import { recordedMoment, recordedRun } from "../../../../engine/test/recording/recorded.ts";

const records: readonly PostedRecord[] = [
  formatHeadLine(recordedRun, { pid: 1, host: "one" }),
  ...[0, 1, 2].map((second) => formatMomentLine(recordedMoment(second), second + 1)),
].map((line, number) => ({ number, member: gzipSync(line) }));

async function openPart(): Promise<{ readonly part: PartFile; readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-test-"));
  const path = join(folder, "part.bearhug");
  const part = await PartFile.open(path, () => undefined);
  onTestFinished(async () => {
    await part.close();
    rmSync(folder, { recursive: true });
  });
  return { part, path };
}

test("a record that arrives again while it is being written is applied once", async () => {
  const { part, path } = await openPart();
  const applied = await Promise.all([...records, ...records].map((record) => part.apply(record)));
  expect(applied.map((record) => record?.kind ?? null)).toEqual([
    "head",
    "moment",
    "moment",
    "moment",
    null,
    null,
    null,
    null,
  ]);
  expect(part.applied).toBe(records.length);
  const lines = gunzipSync(readFileSync(path)).toString("utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(records.length);
});

test("a broken record is refused, and an intact one can follow it", async () => {
  const { part } = await openPart();
  const [head] = records;
  if (head === undefined) throw new Error("there are no records");
  const broken = { number: 0, member: head.member.subarray(0, -9) };
  const outcomes = await Promise.allSettled([part.apply(broken), part.apply(head)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(part.applied).toBe(1);
});
