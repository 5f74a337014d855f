import { isAbsolute, join } from "node:path";

/** The facts about the system that decide on the folder of recordings. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The folder of recordings: in the user's cache, which nobody saves or shares. */
export function recordingFolder({ platform, environment, home }: Surroundings): string {
  return join(cacheFolder(platform, environment, home), "runs");
}

function cacheFolder(
  platform: NodeJS.Platform,
  environment: Surroundings["environment"],
  home: string,
): string {
  // By its specification, a relative path there is to be ignored.
  const { XDG_CACHE_HOME: chosen = "", LOCALAPPDATA: local = "" } = environment;
  if (isAbsolute(chosen)) return join(chosen, "bearhug");
  if (platform === "win32")
    return join(local === "" ? join(home, "AppData", "Local") : local, "bearhug", "Cache");
  if (platform === "darwin") return join(home, "Library", "Caches", "bearhug");
  return join(home, ".cache", "bearhug");
}

const ending = ".ndjson.gz";

/** Sorts by time, tells processes that started at once apart, and says of which code a run was: a hash of a test's file. */
export function recordingName(beganAt: string, pid: number, fingerprint?: string): string {
  const code = fingerprint === undefined ? "" : `-${fingerprint}`;
  return `${beganAt.replaceAll(/[:.]/g, "-")}-${pid}${code}${ending}`;
}

export function isRecordingName(name: string): boolean {
  return name.endsWith(ending);
}

/** Returns false for a recording whose name says that it is one of other code. */
export function mayBeOf(name: string, fingerprint: string | null): boolean {
  const code = /Z-\d+-([^-]+)$/.exec(name.slice(0, -ending.length))?.[1];
  return code === undefined || code === fingerprint;
}
