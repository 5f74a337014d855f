/** A test, or some of its scenarios. */
export interface Target {
  readonly file: string;
  /** The scenarios; null for all. */
  readonly scenarios: readonly string[] | null;
}

/** The files that a run writes for the extension. */
export interface RunFiles {
  readonly progress: string;
  readonly result: string;
}

export function listArguments(files: readonly string[]): string[] {
  return ["list", "--json", "--", ...files];
}

export function runArguments(target: Target, files: RunFiles, more: readonly string[]): string[] {
  return [
    "run",
    target.file,
    ...scenarioArguments(target),
    ...more,
    "--out",
    `ndjson=${files.progress}`,
    "--out",
    `json=${files.result}`,
  ];
}

/**
 * Returns arguments for one iteration of one virtual user, in the main thread, which debuggers attach to
 * first.
 */
export function debugArguments(target: Target, result: string): string[] {
  const once = ["--workers", "0", "--vus", "1", "--iterations", "1"];
  return ["run", target.file, ...scenarioArguments(target), ...once, "--out", `json=${result}`];
}

export function tryArguments(target: Target): string[] {
  return ["try", target.file, ...scenarioArguments(target)];
}

export function importArguments(capture: string, test: string, mayReplace: boolean): string[] {
  return ["import", capture, "--output", test, ...(mayReplace ? ["--force"] : [])];
}

/** Returns the path of an imported test: beside the capture, with a name that the Test Explorer finds. */
export function testPathOf(capture: string): string {
  return `${capture.replace(/\.har$/i, "")}.load.ts`;
}

function scenarioArguments({ scenarios }: Target): string[] {
  return (scenarios ?? []).flatMap((name) => ["--scenario", name]);
}
