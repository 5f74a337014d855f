import { explainListenError, type Listening, type ListenOptions } from "@bearhug/report/local-server/listen";
import { InvalidInput } from "@bearhug/sdk";
import type { Command } from "commander";

import { addAction } from "../reading.ts";
import { listenOption, readListenAddress } from "../listen-address.ts";
import { nextStopSignal } from "../stop-signals.ts";

/** Adds `--listen`, and the work, to a command that runs a server. */
export function addListenAction(
  command: Command,
  defaultPort: number,
  work: (listener: Listener) => Promise<void>,
): Command {
  const help = "port, or address and port, to listen on; port 0 picks a free one";
  return addAction(command.addOption(listenOption(`127.0.0.1:${defaultPort}`, help)), readListener, work);
}

/** The flag with the address to listen on, unparsed. */
interface ListenFlags {
  readonly listen: string;
}

/** A server as it was requested. */
export interface Listener {
  /** The command's operand; empty if it has none. */
  readonly operand: string;
  readonly address: ListenOptions;
}

function readListener(
  [operand = ""]: readonly string[],
  { listen }: ListenFlags,
  problems: string[],
): Listener {
  return { operand, address: readListenAddress(listen, 8080, problems) };
}

/**
 * Starts a server, announces it, and closes it at the first signal. @throws {InvalidInput} if it cannot
 * listen
 */
export async function serveUntilSignal(
  start: (options: ListenOptions) => Promise<Listening>,
  options: ListenOptions,
  announce: (url: string) => void,
): Promise<void> {
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
