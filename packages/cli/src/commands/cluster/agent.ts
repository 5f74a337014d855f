import { hostname } from "node:os";

import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { readPositiveDuration } from "@bearhug/plan/test-file/quantities";
import { createMultiplexer } from "@bearhug/report/multiplexer";
import { Command, Option } from "commander";

import { addAction } from "../reading.ts";
import { addOptions } from "../options.ts";
import type { AgentOptions } from "../../cluster/agent/run-agent.ts";
import { dialCoordinator, type Destination } from "../../cluster/wire/dial.ts";
import { isLoopback } from "../../cluster/wire/loopback.ts";
import { LogPayloadOfAgent, logPayloadOption } from "./log-payload.ts";
import { listenForSignals } from "../stop-signals.ts";
import { openTerminal } from "../open-terminal.ts";
import { userRecordingFolder } from "../report/recordings.ts";
import { reportResult } from "../report/report-result.ts";
import { readToken, tokenOption } from "./token.ts";

export function createCommand(): Command {
  const command = new Command("agent").description(
    "apply a part of a load that bearhug coordinate leads; runs the code that it is sent",
  );
  addOptions(command, "Pods and agents", [
    new Option("--join <url>", "address of the coordinator: wss://10.0.0.5:7654"),
    tokenOption(),
    new Option("--name <name>", "name to show in the coordinator").default(hostname(), "hostname"),
    new Option("--join-timeout <time>", "how long to look for the coordinator").default("2m"),
    logPayloadOption("recording"),
  ]);
  return addAction(command, readAgentFlags, agent);
}

interface AgentFlags {
  readonly join?: string;
  readonly tokenFile?: string;
  readonly name: string;
  readonly joinTimeout: string;
  readonly logPayload?: string;
}

type ReadFlags = Pick<AgentOptions<unknown>, "name" | "wantedShard" | "joinTimeoutMs"> & {
  readonly destination: Destination;
};

function readAgentFlags(
  _operands: readonly string[],
  flags: AgentFlags,
  problems: string[],
): ReadFlags | null {
  const url = readUrl(flags.join, problems);
  const token = readToken(flags.tokenFile, process.env, problems);
  if (token === null && problems.length === 0)
    problems.push("BEARHUG_TOKEN is missing. Set it to the token of the coordinator, or give --token-file.");
  const joinTimeoutMs = readPositiveDuration("--join-timeout", flags.joinTimeout, problems);
  if (url === null || token === null || joinTimeoutMs === null) return null;
  return {
    destination: { url, token },
    name: flags.name.slice(0, maxNameLength),
    wantedShard: readIndex(process.env["JOB_COMPLETION_INDEX"]),
    joinTimeoutMs,
  };
}

const maxNameLength = 200;

function readUrl(text: string | undefined, problems: string[]): URL | null {
  if (text === undefined) {
    problems.push("--join is missing. Give the address that bearhug coordinate prints.");
    return null;
  }
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "wss:" && url.protocol !== "ws:")) {
    problems.push(`--join ${text}: must be an address such as wss://10.0.0.5:7654.`);
    return null;
  }
  if (url.protocol === "wss:" || isLoopback(url.hostname)) return url;
  problems.push(`--join ${text}: ws: is for this machine alone (127.0.0.1). Use wss: to another.`);
  return null;
}

/** Reads the pod's shard in an Indexed Job of Kubernetes; null outside of one. */
function readIndex(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

async function agent({ destination, ...read }: ReadFlags, flags: AgentFlags): Promise<void> {
  const { runAgent } = await import("../../cluster/agent/run-agent.ts");
  const terminal = openTerminal("none");
  const { summary, warn, log } = terminal;
  const signals = listenForSignals(warn);
  const logPayload = new LogPayloadOfAgent(flags.logPayload ?? null);
  try {
    const outcome = await runAgent({
      ...read,
      clock: systemClock,
      dial: (events) => dialCoordinator(destination, events),
      folder: userRecordingFolder(),
      interruptions: signals.interruptions,
      observer: { onLog: log, onWarning: warn, onTeardown: signals.enterTeardown },
      conclude: async (result) => {
        logPayload.result = result;
        return reportResult(createMultiplexer([], warn), summary, result);
      },
      onRecorded: (path) => logPayload.keep(path),
    });
    await logPayload.print();
    // A signal arrived before the coordinator sent a test.
    if (outcome === null) process.exitCode = exitCodes.interrupted;
  } finally {
    signals.stopListening();
    terminal.close();
  }
}
