import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";

/** Runs a command of bearhug in `folder`, without a shell. Returns its exit code. */
export async function runBearhug(
  version: string,
  arguments_: readonly string[],
  folder: string = process.cwd(),
): Promise<number> {
  const [program = "", ...first] = findBearhug(version, process.cwd());
  const child = spawn(program, [...first, ...arguments_], { cwd: folder, stdio: "inherit" });
  // When a job is cancelled, the runner interrupts only this process.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/**
 * Returns the command line of the requested version, otherwise of the one installed in the project, otherwise
 * of the latest.
 */
export function findBearhug(version: string, folder: string): string[] {
  const installed = join(folder, "node_modules/.bin/bearhug");
  if (version === "" && existsSync(installed)) return [installed];
  if (version === "" && dirname(folder) !== folder) return findBearhug("", dirname(folder));
  return ["npx", "--yes", `--package=bearhug@${version === "" ? "latest" : version}`, "--", "bearhug"];
}
