import { createMachineServer, type ServedMachine } from "@bearhug/engine/monitors/machine/serve-machine";
import { processExists } from "@bearhug/engine/recording/is-running";
import { listen, type Listening, type ListenOptions } from "@bearhug/report/local-server/listen";
import { InvalidInput } from "@bearhug/sdk";
import { Command, Option } from "commander";

import { addAction } from "../reading.ts";
import { isLoopback } from "../../cluster/wire/loopback.ts";
import { hasToken } from "../../cluster/wire/token.ts";
import { listenOption, readListenAddress } from "../listen-address.ts";
import { nextStopSignal } from "../stop-signals.ts";
import { readToken, tokenOption } from "./token.ts";

interface MonitorFlags {
  readonly listen: string;
  readonly tokenFile?: string;
  readonly pid?: string;
}

const defaultAddress = "127.0.0.1:9101";

export function createCommand(): Command {
  const command = new Command("monitor")
    .description("serve the load of this machine to load tests and to Prometheus")
    .addOption(
      listenOption(defaultAddress, "port, or address and port, to listen on; all but loopback need a token"),
    )
    .addOption(tokenOption())
    .addOption(new Option("--pid <pid>", "also serve the load of this process and its descendants"));
  return addAction(command, readFlags, serveMonitor);
}

/** The address to serve on, the process to monitor, and the token that readers need. */
type MonitorOptions = ListenOptions & Pick<ServedMachine, "pid"> & { readonly token: string | null };

function readFlags(
  _operands: readonly string[],
  { listen: text, tokenFile, pid }: MonitorFlags,
  problems: string[],
): MonitorOptions {
  const { host, port } = readListenAddress(text, 9101, problems);
  const token = readToken(tokenFile, process.env, problems);
  if (problems.length === 0 && token === null && !isLoopback(host))
    problems.push(
      `--listen ${text}: other machines can read this, so it needs a token. Set BEARHUG_TOKEN, or name a file with --token-file.`,
    );
  if (pid !== undefined && !/^[1-9]\d{0,9}$/.test(pid))
    problems.push(`--pid ${pid}: must be a process id (PID), such as 1234.`);
  else if (pid !== undefined && !processExists(Number(pid)))
    problems.push(`--pid ${pid}: there is no such process.`);
  return { host, port, token, pid: pid === undefined ? null : Number(pid) };
}

async function serveMonitor({ token, pid, ...at }: MonitorOptions, flags: MonitorFlags): Promise<void> {
  const isAuthorized = (authorization: string | undefined): boolean =>
    token === null || hasToken(token, authorization);
  const server = await start(createMachineServer({ pid, isAuthorized }), at, flags.listen);
  const stopped = nextStopSignal();
  process.stdout.write(`bearhug monitor on ${server.url}/metrics\n`);
  await stopped;
  await server.close();
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use. Choose another",
  EACCES: "this is not permitted. Choose a port above 1023",
  EADDRNOTAVAIL: "is no address of this machine",
  ENOTFOUND: "is no address of this machine",
};

/** @throws {InvalidInput} if the address cannot be listened on */
async function start(
  server: Parameters<typeof listen>[0],
  at: ListenOptions,
  text: string,
): Promise<Listening> {
  try {
    return await listen(server, at);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    const code = String(cause.code);
    throw new InvalidInput([`--listen ${text}: ${reasons[code] ?? `cannot be listened on (${code})`}.`], {
      cause,
    });
  }
}
