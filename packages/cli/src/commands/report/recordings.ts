import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

import { testNameOf } from "@bearhug/engine/outcome/describe-run";
import type { RecordedRun } from "@bearhug/engine/outcome/run-record";
import { recordingFolder } from "@bearhug/engine/recording/folder";
import {
  findLeftovers,
  findUnreported,
  markReported,
  removeOlder,
} from "@bearhug/engine/recording/leftovers";
import type { RecordingFile } from "@bearhug/engine/recording/recording-file";
import type { LoadedTest } from "@bearhug/engine/run/load-test";
import { whyUnwritable } from "@bearhug/report/file-output/stage-file";
import { formatBytes } from "@bearhug/text/bytes";
import { printable } from "@bearhug/text/printable";

/** Recordings of killed runs are kept for a week. */
export const keptMs: number = 7 * 24 * 3_600_000;

/**
 * Returns the folder in which this user's runs are recorded: in the home folder, or among the temporary files
 * if the system knows no home (a user id without a name) or none is writable, as in many containers.
 */
export function userRecordingFolder(): string {
  const folders = Array.from(homeFolders(), (home) =>
    recordingFolder({ platform: process.platform, environment: process.env, home }),
  );
  // If none is writable, error messages name the first.
  return folders.find((folder) => whyUnwritable(join(folder, "run")) === null) ?? folders[0] ?? "";
}

function* homeFolders(): Generator<string> {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) yield home;
    } catch {
      // There is neither HOME nor a user entry for the id.
    }
  }
  yield join(tmpdir(), `bearhug-${process.getuid?.() ?? "user"}`);
}

/**
 * Reports, once for each, earlier runs of the same test that were killed and left a recording, and removes
 * old recordings. Recordings of other tests may belong to another project: `bearhug report` lists them.
 */
export async function mentionLeftovers(
  folder: string,
  test: LoadedTest,
  warn: (text: string) => void,
): Promise<void> {
  const nowMs = Date.now();
  await removeOlder(folder, keptMs, nowMs);
  for (const { path, run } of await findUnreported(folder, nowMs, test.fingerprint)) {
    if (run === null || !isSame(run, test) || !(await markReported({ path }))) continue;
    warn(`an earlier run of ${testNameOf(run)} was killed; show its results with ${reportCommand(path)}`);
  }
}

function isSame(run: RecordedRun, { file, fallbackName, fingerprint }: LoadedTest): boolean {
  if (file === null) return run.file === null && testNameOf(run).includes(fallbackName);
  return fingerprint === null ? run.file === file : run.fingerprint === fingerprint;
}

/** Keeps the recording of a run whose reports could not all be written. */
export async function keepRecording(recording: RecordingFile, warn: (text: string) => void): Promise<void> {
  const path = await recording.close();
  if (path === null) return;
  // The next run need not mention it again.
  await markReported({ path });
  warn(`the results are kept for 7 days; show them with ${reportCommand(path)}`);
}

/** Returns two lines for each run that was killed or whose report could not be written, newest first. */
export async function describeLeftovers(): Promise<string[][]> {
  const found = await findLeftovers(userRecordingFolder(), Date.now());
  return found.flatMap(({ path, run, sizeBytes }) => {
    if (run === null) return [];
    const began = run.beganAt.replace("T", " ").replace(/\.\d+Z$/, " UTC");
    const what = `  ${testNameOf(run)}, started ${began}, ${formatBytes(sizeBytes)}`;
    return [[what, `    ${reportCommand(path)}`].map((line) => printable(line))];
  });
}

function reportCommand(path: string): string {
  return `bearhug report ${/^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`}`;
}
