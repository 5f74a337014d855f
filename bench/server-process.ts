import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Debian's nginx is in a folder that only root's PATH has. */
export const serverEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [process.env["PATH"], "/usr/sbin"].join(delimiter),
};

/** A server in a separate process, with a folder that is removed when it has ended. */
export interface ServerProcess {
  readonly pid: number;
  /** Ends the process; returns when it has ended. */
  readonly stop: () => Promise<void>;
}

/** Makes a folder for a server's configuration, logs and files. */
export function makeServerFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `bearhug-bench-${name}-`));
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

/** Starts a server, which ends with this process at the latest; returns when it accepts connections on `port`. */
export async function startServerProcess(
  command: readonly string[],
  folder: string,
  port: number,
): Promise<ServerProcess> {
  const [program = "", ...options] = command;
  const environment = { ...serverEnvironment, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, options, { stdio: ["ignore", "ignore", "inherit"], env: environment });
  // Not by force: nginx would leave its worker behind.
  const endAtExit = (): void => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", endAtExit);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", resolve).once("error", () => resolve());
  }).then(() => {
    process.removeListener("exit", endAtExit);
    rmSync(folder, { recursive: true, force: true });
  });
  await untilItListens(child, port, program);
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill();
      const force = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(force);
    },
  };
}

async function untilItListens(child: ChildProcess, port: number, program: string): Promise<void> {
  for (let tries = 0; tries < 500 && child.pid !== undefined && child.exitCode === null; tries++) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await wait(20);
    } finally {
      socket.destroy();
    }
  }
  child.kill("SIGKILL");
  throw new Error(`${program} did not start`);
}

/** Returns a port that is free at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return address !== null && typeof address === "object" ? address.port : 0;
}
