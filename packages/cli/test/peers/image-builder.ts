import { execFile } from "node:child_process";
import { join } from "node:path";

import type { Ended } from "../packaging/run-process.ts";

/** Builds images and runs commands in them, without a daemon. */
export interface ImageBuilder {
  /** Resolves whatever the exit code; null if buildah took longer than five minutes. */
  readonly run: (...arguments_: readonly string[]) => Promise<Ended>;
  /** Rejects unless the exit code is 0. Resolves with the output. */
  readonly succeed: (...arguments_: readonly string[]) => Promise<string>;
}

/** buildah with its own storage in `folder`, so that it neither sees nor changes the machine's images. */
export function imageBuilder(folder: string): ImageBuilder {
  const storage = [
    "--root",
    join(folder, "storage"),
    "--runroot",
    join(folder, "run"),
    "--storage-driver",
    "vfs",
  ];
  // The other kinds of isolation need a container runtime with cgroups.
  const options = { env: { ...process.env, BUILDAH_ISOLATION: "chroot" }, timeout: 300_000 };
  const run = (...arguments_: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const child = execFile("buildah", [...storage, ...arguments_], options, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      });
    });
  return {
    run,
    succeed: async (...arguments_) => {
      const { code, stdout, stderr } = await run(...arguments_);
      if (code === 0) return stdout.trim();
      throw new Error(`buildah ${arguments_.join(" ")}: exit code ${String(code)}\n${stdout}\n${stderr}`);
    },
  };
}
