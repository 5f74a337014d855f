import { InvalidArgumentError, type Command } from "commander";

import { InvalidInput } from "../invalid-input.ts";
import { explainListenError, type Listening, type ListenOptions } from "../local-server/listen.ts";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Adds the options of a command that serves. */
export function addListenOptions(command: Command, defaultPort: number): Command {
  return command
    .option("--port <number>", "port to listen on; 0 takes any that is free", parsePort, defaultPort)
    .option("--host <address>", "address to listen on", "127.0.0.1");
}

/** Starts a server, announces it, and ends it with the first signal. @throws {InvalidInput} where it cannot listen */
export async function serveUntilSignal(
  start: (options: ListenOptions) => Promise<Listening>,
  options: ListenOptions,
  announce: (url: string) => void,
): Promise<void> {
  const server = await started(start, options);
  const stopped = untilSignal();
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

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, stop);
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError("A port is a whole number from 0 to 65535.");
  }
  return port;
}
