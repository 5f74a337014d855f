/** A test, or some of its scenarios. */
export interface Target {
  readonly file: string;
  /** Null: all of them. */
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
    ...chosen(target),
    ...more,
    "--out",
    `ndjson=${files.progress}`,
    "--out",
    `json=${files.result}`,
  ];
}

/** One iteration of one virtual user, in the thread that the debugger sees first. */
export function debugArguments(target: Target, result: string): string[] {
  const once = ["--workers", "0", "--vus", "1", "--iterations", "1"];
  return ["run", target.file, ...chosen(target), ...once, "--out", `json=${result}`];
}

export function tryArguments(target: Target): string[] {
  return ["try", target.file, ...chosen(target)];
}

export function importArguments(capture: string, test: string, mayReplace: boolean): string[] {
  return ["import", capture, "--output", test, ...(mayReplace ? ["--force"] : [])];
}

/** The test that a capture becomes: beside it, with a name that finds it in the Test Explorer. */
export function testPathOf(capture: string): string {
  return `${capture.replace(/\.har$/i, "")}.load.ts`;
}

function chosen({ scenarios }: Target): string[] {
  return (scenarios ?? []).flatMap((name) => ["--scenario", name]);
}
