import { spawn } from "node:child_process";
import { once } from "node:events";

import type { Launch } from "./debug-configuration.ts";

export interface CommandEnd {
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs bearhug to its end. An abort interrupts it like Ctrl+C.
 * @throws {Error} if Node.js cannot be started
 */
export async function runCommand(
  { node, program, folder }: Launch,
  args: readonly string[],
  { signal, onOutput }: { readonly signal: AbortSignal; readonly onOutput?: (text: string) => void },
): Promise<CommandEnd> {
  const child = spawn(node, [program, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(onOutput === undefined ? { NO_COLOR: "1" } : { FORCE_COLOR: "1" }) },
  });
  const interrupt = (): void => void child.kill("SIGINT");
  signal.addEventListener("abort", interrupt);
  if (signal.aborted) interrupt();
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
      onOutput?.(text);
    });
  try {
    // An error event of the child, such as a missing program, makes this reject.
    await once(child, "close");
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
  return { exitCode: child.exitCode, ...output };
}
