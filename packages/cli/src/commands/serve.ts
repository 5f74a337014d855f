import type { Command } from "commander";

import { InvalidInput } from "../invalid-input.ts";
import { explainListenError, type Listening, type ListenOptions } from "../local-server/listen.ts";
import { nextStopSignal } from "./stop-signals.ts";

/** Adds the options of a command that serves. */
export function addListenOptions(command: Command, defaultPort: number): Command {
  return command
    .option("--port <number>", "port to listen on; 0 picks a free one", String(defaultPort))
    .option("--host <address>", "address to listen on", "127.0.0.1");
}

/** The flags that say where to listen, as they were written. */
export interface ListenFlags {
  readonly port: string;
  readonly host: string;
}

export function findProblems(_operands: readonly string[], command: Command): string[] {
  const problems: string[] = [];
  readListenOptions(command.opts<ListenFlags>(), problems);
  return problems;
}

/** Reads where to listen, and adds a sentence to `problems` for each option that cannot be used. */
function readListenOptions({ port, host }: ListenFlags, problems: string[]): ListenOptions {
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    problems.push(`--port ${port}: must be a whole number from 0 to 65535.`);
  // To listen on nothing would be to listen everywhere.
  if (host.trim() === "") problems.push(`--host ${host}: must be an address such as 127.0.0.1.`);
  return { port: Number(port), host };
}

/** Starts a server, announces it, and ends it with the first signal. @throws {InvalidInput} where it cannot listen */
export async function serveUntilSignal(
  start: (options: ListenOptions) => Promise<Listening>,
  flags: ListenFlags,
  announce: (url: string) => void,
): Promise<void> {
  const problems: string[] = [];
  const options = readListenOptions(flags, problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  const server = await started(start, options);
  const stopped = nextStopSignal();
  announce(server.url);
  await stopped;
  await server.close();
}

async function started(
  start: (options: ListenOptions) => Promise<Listening>,
  options: ListenOptions,
): Promise<Listening> {
  try {
    return await start(options);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    throw new InvalidInput([explainListenError(cause, options)], { cause });
  }
}
