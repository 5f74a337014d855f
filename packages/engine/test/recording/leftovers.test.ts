import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import {
  findLeftovers,
  findUnreported,
  markReported,
  removeLeftover,
  removeOlder,
} from "../../src/recording/leftovers.ts";
import { recordingName } from "../../src/recording/folder.ts";
import { formatHeadLine, type Writer } from "../../src/recording/lines.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";
import { recordedRun } from "./recorded.ts";

/** The id of a process that has ended. */
const deadPid = spawnSync(process.execPath, ["--version"]).pid;

const nowMs = Date.now();

function leave(folder: string, name: string, writer: Writer, ageMs: number): void {
  const path = join(folder, `${name}.ndjson.gz`);
  writeFileSync(path, gzipSync(formatHeadLine(recordedRun, writer)));
  const writtenAt = new Date(nowMs - ageMs);
  utimesSync(path, writtenAt, writtenAt);
}

test("recordings of dead processes are found, newest first; those of live ones are not", async () => {
  const folder = temporaryFolder();
  const host = hostname();
  leave(folder, "older", { pid: deadPid, host }, 60_000);
  leave(folder, "newer", { pid: deadPid, host }, 1000);
  leave(folder, "living", { pid: process.ppid, host }, 1000);
  leave(folder, "own", { pid: process.pid, host }, 0);
  // Before this process began, which may be earlier or later than the other recordings.
  const returnedAgoMs = process.uptime() * 1000 + 5000;
  leave(folder, "number-returned", { pid: process.pid, host }, returnedAgoMs);
  leave(folder, "another-machine-writing", { pid: deadPid, host: "elsewhere" }, 1000);
  leave(folder, "another-machine-silent", { pid: deadPid, host: "elsewhere" }, 3_600_000);
  writeFileSync(join(folder, "notes.txt"), "not a recording");
  const found = await findLeftovers(folder, nowMs);
  expect(found.map(({ path }) => path.slice(folder.length + 1, -".ndjson.gz".length))).toEqual([
    "newer",
    ...(returnedAgoMs < 60_000 ? ["number-returned", "older"] : ["older", "number-returned"]),
    "another-machine-silent",
  ]);
  expect(found[0]?.run).toEqual(recordedRun);
});

test("a file that was cut off in its first line is found without its run", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "cut.ndjson.gz"), "");
  utimesSync(join(folder, "cut.ndjson.gz"), new Date(nowMs - 120_000), new Date(nowMs - 120_000));
  expect(await findLeftovers(folder, nowMs)).toMatchObject([{ run: null, sizeBytes: 0 }]);
});

test("no folder, no leftovers", async () => {
  expect(await findLeftovers(join(temporaryFolder(), "nowhere"), nowMs)).toEqual([]);
});

test("of several callers only one may report a leftover, which is removed with its mark", async () => {
  const folder = temporaryFolder();
  leave(folder, "left", { pid: deadPid, host: hostname() }, 1000);
  const [leftover] = await findLeftovers(folder, nowMs);
  if (leftover === undefined) throw new Error("nothing was found");
  const marked = await Promise.all([1, 2, 3].map(() => markReported(leftover)));
  expect(marked.filter(Boolean)).toHaveLength(1);
  expect(await findLeftovers(folder, nowMs)).toHaveLength(1);
  expect(gunzipSync(readFileSync(leftover.path)).length).toBeGreaterThan(0);
  await removeLeftover(leftover);
  expect(readdirSync(folder)).toEqual([]);
});

test("a recording that was reported is still found, but not among those to report", async () => {
  const folder = temporaryFolder();
  for (const name of ["told", "untold"]) leave(folder, name, { pid: deadPid, host: hostname() }, 1000);
  await markReported({ path: join(folder, "told.ndjson.gz") });
  expect(await findLeftovers(folder, nowMs)).toHaveLength(2);
  expect(await findUnreported(folder, nowMs, null)).toMatchObject([
    { path: join(folder, "untold.ndjson.gz") },
  ]);
});

test("recordings whose names have the fingerprint of other code are not read", async () => {
  const folder = temporaryFolder();
  const [mine, other, unnamed] = ["c0de", "0ther", undefined].map((code) =>
    recordingName("2026-11-21T10:00:00.000Z", deadPid, code),
  );
  for (const name of [mine, other, unnamed])
    leave(folder, name?.replace(".ndjson.gz", "") ?? "", { pid: deadPid, host: hostname() }, 1000);
  const unreported = async (fingerprint: string | null): Promise<string[]> =>
    (await findUnreported(folder, nowMs, fingerprint)).map(({ path }) => basename(path)).sort();
  expect(await unreported("c0de")).toEqual([mine, unnamed].sort());
  expect(await unreported(null)).toEqual([unnamed]);
  expect(await findLeftovers(folder, nowMs)).toHaveLength(3);
});

test("a recording that is too old is removed with its mark, whether it was reported or not", async () => {
  const folder = temporaryFolder();
  const day = 24 * 3_600_000;
  leave(folder, "old-told", { pid: deadPid, host: hostname() }, 2 * day);
  leave(folder, "old", { pid: deadPid, host: hostname() }, 2 * day);
  leave(folder, "new", { pid: deadPid, host: hostname() }, day / 2);
  await markReported({ path: join(folder, "old-told.ndjson.gz") });
  await removeOlder(folder, day, nowMs);
  expect(readdirSync(folder)).toEqual(["new.ndjson.gz"]);
});
