import { spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as a user's shell would, without the workspace's environment variables. */
export function runProcess(
  command: string,
  args: readonly string[],
  cwd: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const env = { ...usersEnvironment(), ...variables };
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs a command that must succeed. @throws with its whole output if it exits with another code than 0 */
export async function runOrThrow(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  const ended = await runProcess(command, args, cwd);
  if (ended.code === 0) return ended;
  throw new Error(
    `${command} ${args.join(" ")}: exit code ${String(ended.code)}\n${ended.stdout}\n${ended.stderr}`,
  );
}

/**
 * Variables that package managers and vitest set for child processes; the check and CI set BEARHUG_* and
 * GITHUB_*.
 */
const toolVariables = new Set(["NODE_PATH", "NODE_OPTIONS", "NODE_ENV"]);

function usersEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !toolVariables.has(name) && !/^(?:BEARHUG|GITHUB)_/.test(name),
  );
  return Object.fromEntries(others);
}
