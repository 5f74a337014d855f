import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** The number of characters of output that are kept. */
const mostPrinted = 400;

/** How a process ended. */
export interface Ending {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  /** The end of its output on stderr, or on stdout if stderr is empty. */
  readonly printed: string;
}

/** A process on one core, with everything that it starts. */
export interface PinnedProcess {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  readonly hasEnded: () => boolean;
  /** Ends the process and its descendants at once. */
  kill(): void;
}

/** Returns `taskset` with the core's number; empty for any core. */
export function onCore(core: number | null): string[] {
  return core === null ? [] : ["taskset", "--cpu-list", String(core)];
}

export function startPinned(command: readonly string[], core: number | null): PinnedProcess {
  const [program = "", ...options] = [...onCore(core), ...command];
  // Each process gets its own cache, so that a killed tool leaves nothing that the next one would read.
  const cache = mkdtempSync(join(tmpdir(), "bearhug-bench-cache-"));
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  // The child gets its own process group, so that its descendants end with it.
  const child = spawn(program, options, { stdio: ["ignore", "pipe", "pipe"], detached: true, env });
  const [output, errors] = [child.stdout, child.stderr].map(keepEnd);
  let hasEnded = false;
  const kill = (): void => {
    if (hasEnded || child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The process has just ended.
    }
  };
  process.once("exit", kill);
  const ended = new Promise<Ending>((resolve) => {
    const settle = (exitCode: number | null): void => {
      hasEnded = true;
      process.removeListener("exit", kill);
      rmSync(cache, { recursive: true, force: true });
      const printed = [errors, output].map((end) => end?.() ?? "").find((end) => end !== "");
      resolve({ exitCode, printed: printed ?? "it printed nothing" });
    };
    child.once("close", settle).once("error", () => settle(null));
  });
  return { pid: child.pid ?? 0, ended, hasEnded: () => hasEnded, kill };
}

/** Reads a stream. Returns a function that returns the end of the text so far. */
function keepEnd(stream: Readable): () => string {
  let end = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    end = (end + text).slice(-mostPrinted);
  });
  return () => end.trim();
}
