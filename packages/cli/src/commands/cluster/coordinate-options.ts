import { readFileSync } from "node:fs";

import { localMonitorProblems } from "@bearhug/plan/monitors/monitor-kinds";
import { readCount, readPositiveDuration } from "@bearhug/plan/test-file/quantities";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { findLiveOutProblems } from "@bearhug/report/index";
import { errorMessage } from "@bearhug/text/caught-error";

import { readFlags, type LoadFlags } from "../load-options.ts";
import { readListenAddress } from "../listen-address.ts";
import { maxAgents } from "../remote-agents.ts";
import { readToken } from "./token.ts";

/** The flags of `bearhug coordinate`, unparsed. */
export interface CoordinateFlags extends LoadFlags {
  readonly agents?: string;
  readonly listen: string;
  readonly tokenFile?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly joinTimeout: string;
  readonly orphanTimeout: string;
  readonly send: readonly string[];
  readonly resume?: string;
  readonly runId?: string;
  readonly logPayload?: string;
  readonly allowPartial: boolean;
}

/** The contents of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The parsed flags of `bearhug coordinate`. */
export interface CoordinateOptions {
  readonly run: RunOptions;
  readonly agents: number;
  readonly host: string;
  readonly port: number;
  /** Null: create a token for this run. */
  readonly token: string | null;
  /** Null: a key made of the token encrypts the link, except on loopback, where nothing does. */
  readonly tls: TlsFiles | null;
  readonly joinTimeoutMs: number;
  readonly orphanTimeoutMs: number;
}

/** Reads every option and adds a sentence to `problems` for each that cannot be used. */
export function readCoordinateFlags(
  file: string | undefined,
  flags: CoordinateFlags,
  problems: string[],
): CoordinateOptions {
  const run = readFlags(flags, { file, hasOwnMetrics: true }, problems);
  if (flags.agents === undefined) problems.push("--agents is missing. Give the number of agents, such as 3.");
  const agents = readCount("--agents", flags.agents, 1, problems) ?? 1;
  if (agents > maxAgents) problems.push(`--agents ${agents}: must be at most ${maxAgents}.`);
  problems.push(...findLiveOutProblems(flags.out));
  if (run.workers === 0)
    problems.push("--workers 0: agents apply the load in worker threads. Use 1 or more.");
  problems.push(...localMonitorProblems(flags, "agents"));
  return {
    run,
    agents,
    ...readListenAddress(flags.listen, 7654, problems),
    token: readToken(flags.tokenFile, process.env, problems),
    tls: readTls(flags, problems),
    joinTimeoutMs: readPositiveDuration("--join-timeout", flags.joinTimeout, problems) ?? 0,
    orphanTimeoutMs: readPositiveDuration("--orphan-timeout", flags.orphanTimeout, problems) ?? 0,
  };
}

function readTls({ tlsCert, tlsKey }: CoordinateFlags, problems: string[]): TlsFiles | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    problems.push("--tls-cert, --tls-key: belong together. Give both, or neither.");
    return null;
  }
  const read = (flag: string, path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      problems.push(`${flag} ${path}: ${errorMessage(error)}.`);
      return "";
    }
  };
  return { cert: read("--tls-cert", tlsCert), key: read("--tls-key", tlsKey) };
}
