import { explainListenError, type Listening, type ListenOptions } from "@bearhug/report/local-server/listen";
import { InvalidInput } from "@bearhug/sdk";
import type { Command } from "commander";

import { problemsOf, readOrThrow } from "../read-or-throw.ts";
import { listenOption, readListenAddress } from "../listen-address.ts";
import { nextStopSignal } from "../stop-signals.ts";

/** Adds `--listen` to a command that runs a server. */
export function addListenOption(command: Command, defaultPort: number): Command {
  const help = "port, or address and port, to listen on; port 0 picks a free one";
  return command.addOption(listenOption(`127.0.0.1:${defaultPort}`, help));
}

/** The flag with the address to listen on, unparsed. */
export interface ListenFlags {
  readonly listen: string;
}

export function findProblems(_operands: readonly string[], command: Command): string[] {
  return problemsOf((problems) =>
    readListenAddress(command.opts<ListenFlags>().listen, examplePort, problems),
  );
}

const examplePort = 8080;

/**
 * Starts a server, announces it, and closes it at the first signal. @throws {InvalidInput} if it cannot
 * listen
 */
export async function serveUntilSignal(
  start: (options: ListenOptions) => Promise<Listening>,
  flags: ListenFlags,
  announce: (url: string) => void,
): Promise<void> {
  const options = readOrThrow((problems) => readListenAddress(flags.listen, examplePort, problems));
  const server = await startOrExplain(start, options);
  const stopped = nextStopSignal();
  announce(server.url);
  await stopped;
  await server.close();
}

async function startOrExplain(
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
