import { Option, type Command } from "commander";

import { findOutProblems } from "../reporters/index.ts";
import { earlyThresholdProblems } from "../test-file/threshold-problems.ts";
import { readRunOptions, type RunOptions, type WrittenOptions } from "../test-file/run-options.ts";

/** What every command that applies load understands, as it was written. */
export interface LoadFlags extends WrittenOptions {
  readonly out: readonly string[];
  readonly quiet: boolean;
  readonly strictGenerator: boolean;
}

/** Adds the options that every command has which applies load: of requests, workers and reports. */
export function addLoadOptions(command: Command): Command {
  return addReportOptions(addHttpOptions(command));
}

function addHttpOptions(command: Command): Command {
  return command
    .addOption(new Option("--protocol <name>", "auto, http1, http2, or h2c: HTTP/2 without TLS"))
    .addOption(new Option("--timeout <time>", "the longest time of a request that says nothing else: 5s"))
    .addOption(new Option("--insecure", "accept certificates that nobody vouches for").default(false))
    .addOption(new Option("--ca <file>", "the authorities to trust, as PEM, instead of the usual ones"))
    .addOption(new Option("--proxy <url>", "the HTTP proxy to go through: http://user:password@host:3128"))
    .addOption(
      new Option(
        "--resolve <host=address>",
        "an address for a host, instead of looking it up; either may have a port",
      )
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(new Option("--unix-socket <path>", "the unix socket to which every connection goes instead"))
    .addOption(new Option("--discard-bodies", "count bodies of responses, and keep none").default(false));
}

function addReportOptions(command: Command): Command {
  return command
    .addOption(new Option("--workers <n>", "worker threads; 0 runs in this thread, for debuggers"))
    .addOption(new Option("--warmup <time>", "the first part of the load, applied but not measured: 10s"))
    .addOption(new Option("--max-data <size>", "end gracefully when so much was received: 10GB"))
    .addOption(new Option("--seed <n>", "reproduces a run's random numbers"))
    .addOption(new Option("--link <speed>", "what the path to the target carries: 900Mbps, 1Gbps"))
    .addOption(
      new Option("--tag <name=value>", "a tag on every sample").argParser(collect).default([], "none"),
    )
    .addOption(
      new Option("--threshold <metric: expression>", "what must hold, besides the test's own")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--out <reporter=path>", "also write a report: json=result.json")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(new Option("--quiet", "no progress, only the summary").default(false))
    .addOption(
      new Option("--strict-generator", "exit 112 when the load generator was saturated").default(false),
    );
}

/**
 * Reads every option and adds a sentence to `problems` for each that cannot be used. `hasOwnMetrics`: the test may declare
 * metrics, which are not known yet.
 */
export function readFlags(flags: LoadFlags, hasOwnMetrics: boolean, problems: string[]): RunOptions {
  const options = readRunOptions(flags, problems);
  problems.push(...options.thresholds.flatMap((one) => earlyThresholdProblems(one, hasOwnMetrics)));
  problems.push(...findOutProblems(flags.out));
  return options;
}

/** An option that may be given several times. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
