import { spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as a user's shell would, with nothing of the workspace's in its environment. */
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

/** As `runProcess`, for commands that must succeed: another exit code is an error that shows all that was printed. */
export async function runOrThrow(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  const ended = await runProcess(command, args, cwd);
  if (ended.code === 0) return ended;
  throw new Error(
    `${command} ${args.join(" ")}: exit code ${String(ended.code)}\n${ended.stdout}\n${ended.stderr}`,
  );
}

/** Set by package managers and the test runner for their children, as BEARHUG_ and GITHUB_ are by the check and CI. */
const theirs = new Set(["NODE_PATH", "NODE_OPTIONS", "NODE_ENV"]);

function usersEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !theirs.has(name) && !/^(?:BEARHUG|GITHUB)_/.test(name),
  );
  return Object.fromEntries(others);
}
