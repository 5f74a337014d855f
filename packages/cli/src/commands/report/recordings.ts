import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

import { nameOf } from "@bearhug/engine/outcome/describe-run";
import type { RecordedRun } from "@bearhug/engine/outcome/run-record";
import { recordingFolder } from "@bearhug/engine/recording/folder";
import { findLeftovers, findUntold, markTold, removeOlder } from "@bearhug/engine/recording/leftovers";
import type { RecordingFile } from "@bearhug/engine/recording/recording-file";
import type { LoadedTest } from "@bearhug/engine/run/load-test";
import { whyUnwritable } from "@bearhug/report/file-output/stage-file";
import { printable } from "@bearhug/sdk/internal";
import { formatBytes } from "@bearhug/text/bytes";

/** Recordings of killed runs are kept for a week. */
export const keptMs: number = 7 * 24 * 3_600_000;

/**
 * The folder in which this user's runs are recorded: in the user's home, or among the temporary files where the system knows
 * no home (a user id without a name), or none that can be written to, as in many containers.
 */
export function userRecordingFolder(): string {
  const folders = Array.from(homeFolders(), (home) =>
    recordingFolder({ platform: process.platform, environment: process.env, home }),
  );
  // If none will do, the first is the one to tell of.
  return folders.find((folder) => whyUnwritable(join(folder, "run")) === null) ?? folders[0] ?? "";
}

function* homeFolders(): Generator<string> {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) yield home;
    } catch {
      // Neither HOME nor an entry for the user id.
    }
  }
  yield join(tmpdir(), `bearhug-${process.getuid?.() ?? "user"}`);
}

/**
 * Says, once for each, that an earlier run of the same test was killed and what of it is left; removes what nobody asked
 * for. Those of other tests are listed by `bearhug report`: they may be of another project.
 */
export async function mentionLeftovers(
  folder: string,
  test: LoadedTest,
  warn: (text: string) => void,
): Promise<void> {
  const nowMs = Date.now();
  await removeOlder(folder, keptMs, nowMs);
  for (const { path, run } of await findUntold(folder, nowMs, test.fingerprint)) {
    if (run === null || !isSame(run, test) || !(await markTold({ path }))) continue;
    warn(`an earlier run of ${nameOf(run)} was killed; show its results with ${reportCommand(path)}`);
  }
}

function isSame(run: RecordedRun, { file, fallbackName, fingerprint }: LoadedTest): boolean {
  if (file === null) return run.file === null && nameOf(run).includes(fallbackName);
  return fingerprint === null ? run.file === file : run.fingerprint === fingerprint;
}

/** The run was not told as it should have been: what was recorded of it stays. */
export async function keepRecording(recording: RecordingFile, warn: (text: string) => void): Promise<void> {
  const path = await recording.close();
  if (path === null) return;
  // Nobody needs to hear of it again with the next run.
  await markTold({ path });
  warn(`the results are kept for 7 days; show them with ${reportCommand(path)}`);
}

/** Two lines for each run that was killed, or whose report could not be written: the newest first. */
export async function describeLeftovers(): Promise<string[][]> {
  const found = await findLeftovers(userRecordingFolder(), Date.now());
  return found.flatMap(({ path, run, sizeBytes }) => {
    if (run === null) return [];
    const began = run.beganAt.replace("T", " ").replace(/\.\d+Z$/, " UTC");
    const what = `  ${nameOf(run)}, started ${began}, ${formatBytes(sizeBytes)}`;
    return [[what, `    ${reportCommand(path)}`].map((line) => printable(line))];
  });
}

function reportCommand(path: string): string {
  return `bearhug report ${/^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`}`;
}
