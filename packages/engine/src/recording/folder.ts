import { isAbsolute, join } from "node:path";

/** The facts about the system that determine the folder of recordings. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Returns the folder of recordings: in the user's cache, which is neither backed up nor shared. */
export function recordingFolder({ platform, environment, home }: Surroundings): string {
  return join(cacheFolder(platform, environment, home), "runs");
}

function cacheFolder(
  platform: NodeJS.Platform,
  environment: Surroundings["environment"],
  home: string,
): string {
  // The XDG specification requires a relative path to be ignored.
  const { XDG_CACHE_HOME: chosen = "", LOCALAPPDATA: local = "" } = environment;
  if (isAbsolute(chosen)) return join(chosen, "bearhug");
  if (platform === "win32")
    return join(local === "" ? join(home, "AppData", "Local") : local, "bearhug", "Cache");
  if (platform === "darwin") return join(home, "Library", "Caches", "bearhug");
  return join(home, ".cache", "bearhug");
}

const ending = ".ndjson.gz";

/**
 * Returns the file name of a recording. Names sort by time, differ between processes that start at once, and
 * end with the hash of the test's code.
 */
export function recordingName(beganAt: string, pid: number, fingerprint?: string): string {
  const code = fingerprint === undefined ? "" : `-${fingerprint}`;
  return `${beganAt.replaceAll(/[:.]/g, "-")}-${pid}${code}${ending}`;
}

export function isRecordingName(name: string): boolean {
  return name.endsWith(ending);
}

/** Returns false if the name of a recording has the hash of other code. */
export function mayHaveFingerprint(name: string, fingerprint: string | null): boolean {
  const code = /Z-\d+-([^-]+)$/.exec(name.slice(0, -ending.length))?.[1];
  return code === undefined || code === fingerprint;
}
