import { Option, type Command } from "commander";

import { monitorKinds } from "../monitors/monitor-kinds.ts";
import { readSampleRule } from "../ndjson/sample-rule.ts";
import { findOutProblems, ndjsonPath, reportsOfRuns } from "../reporters/index.ts";
import { readSinks } from "../sinks/read-sinks.ts";
import { httpFlags } from "../test-file/http-flags.ts";
import { earlyThresholdProblems } from "../test-file/threshold-problems.ts";
import { lonePathProblems } from "../test-file/read-variants.ts";
import { readRunOptions, type RunOptions, type WrittenOptions } from "../test-file/run-options.ts";
import { envFromOption } from "./env-from-option.ts";

/** The flags of every command that applies load, as they were written. */
export interface LoadFlags extends WrittenOptions {
  readonly out: readonly string[];
  readonly samples?: string;
  readonly latency: boolean;
  readonly quiet: boolean;
  /** These two are absent for commands without them. */
  readonly ui?: boolean;
  readonly problems?: boolean;
  readonly strictGenerator: boolean;
  readonly allowSaturated: boolean;
}

/** The texts of help about `--out`. */
interface OutWords {
  readonly out: string;
  readonly reports: string;
}

/** Adds the options that every command has which applies load: of requests, workers and reports. */
export function addLoadOptions(command: Command, written: Partial<OutWords> = {}): Command {
  const usual = { out: "--out <reporter=path>", reports: reportsOfRuns };
  return addOutcomeOptions(addMonitorOptions(addConditionOptions(addHttpOptions(command))), {
    ...usual,
    ...written,
  });
}

/** Adds the options that decide the load of a test. */
export function addPlanOptions(command: Command): Command {
  return addOverrideOptions(
    command.addOption(
      new Option("--target <url>", "load this site instead of the test's baseUrl").helpGroup(
        "Target and variables:",
      ),
    ),
  );
}

/** Adds the options that change the load of a test, and give it variables. */
export function addOverrideOptions(command: Command): Command {
  return command
    .addOption(new Option("-u, --vus <n>", "virtual users").helpGroup("Load:"))
    .addOption(new Option("-d, --duration <time>", "duration of the load: 30s, 5m").helpGroup("Load:"))
    .addOption(new Option("-i, --iterations <n>", "total iterations, shared by the VUs").helpGroup("Load:"))
    .addOption(
      new Option(
        "--rate <rate>",
        "iterations to start, however slow the target is: 500, 500/s, 30k/m",
      ).helpGroup("Load:"),
    )
    .addOption(arrivalsOption())
    .addOption(
      new Option("--scenario <names>", "run only these scenarios: browse,buy")
        .helpGroup("Load:")
        .argParser(collect)
        .default([], "all"),
    )
    .addOption(
      new Option("-e, --env <name=value>", "set a variable that the test declares, which it reads from env")
        .helpGroup("Target and variables:")
        .argParser(collect)
        .default([]),
    )
    .addOption(envFromOption());
}

/** The option of every command that has `--rate`. */
export function arrivalsOption(): Option {
  return new Option(
    "--arrivals <kind>",
    "spacing of arrivals at a rate: uniform, or poisson (as real users)",
  ).helpGroup("Load:");
}

/** The option of the commands that load a URL or a test once. */
export function overloadOption(): Option {
  return new Option(
    "--overload <factor>",
    "for a third of the run, multiply --rate by this factor: 1.5",
  ).helpGroup("Load:");
}

/** Adds the options of one machine of several that share a run. */
export function addShardOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--shard <n/count>", "apply one of several equal parts of the load: 2/3; or auto").helpGroup(
        "Several machines:",
      ),
    )
    .addOption(
      new Option(
        "--start-at <time>",
        "start at this time, the same on every shard: 2026-12-01T09:00:00Z",
      ).helpGroup("Several machines:"),
    )
    .addOption(
      new Option(
        "--shard-setup <file>",
        'file in which shard 1 passes its setup data to the others; or "each" to run setup on every shard',
      ).helpGroup("Several machines:"),
    )
    .addOption(
      new Option("--allow-partial", "accept a start more than a second after --start-at")
        .helpGroup("Several machines:")
        .default(false),
    );
}

/** The option of the commands that send a test to other machines. */
export function sendOption(): Option {
  return new Option("--send <file>", "also send a file that the test's code does not name")
    .helpGroup("Pods and agents:")
    .argParser(collect)
    .default([]);
}

/** The option of the commands that can be streamed. */
export function samplesOption(): Option {
  return new Option(
    "--samples <which>",
    "single requests that --out ndjson records: all, errors, or a share such as 1%",
  ).helpGroup("Output:");
}

function addHttpOptions(command: Command): Command {
  for (const { flags, help, alias, topic = "HTTP client", isRepeatable = false } of httpFlags) {
    const option = new Option(flags, help).helpGroup(`${topic}:`);
    // A switch like any other, although its name begins with no.
    option.negate = false;
    if (isRepeatable) option.argParser(collect).default([]);
    else if (!flags.includes("<")) option.default(false);
    command.addOption(option);
    if (alias !== undefined) command.addOption(new Option(alias, help).hideHelp());
  }
  return command;
}

function addConditionOptions(command: Command): Command {
  return command
    .addOption(
      new Option("-t, --workers <n>", "worker threads; 0 runs in the main thread, for debugging").helpGroup(
        "This machine:",
      ),
    )
    .addOption(
      new Option("--warmup <time>", "leave the first part of the load unmeasured: 10s").helpGroup("Load:"),
    )
    .addOption(
      new Option("--max-data <size>", "stop gracefully after receiving this much data: 10GB").helpGroup(
        "Load:",
      ),
    )
    .addOption(
      new Option(
        "--variant <name=change>",
        "compare variants that take turns: gzip='Accept-Encoding: gzip', or min=/index.min.html",
      )
        .helpGroup("Compare variants:")
        .argParser(collect)
        .default([]),
    )
    .addOption(
      new Option("--turn <time>", "how long each variant gets requests before the next one: 500ms").helpGroup(
        "Compare variants:",
      ),
    )
    .addOption(new Option("--seed <n>", "random seed, to repeat a run").helpGroup("Load:"))
    .addOption(
      new Option(
        "--link <speed>",
        "speed of the network link, to warn when it is nearly full: 900Mbps, 1Gbps",
      ).helpGroup("This machine:"),
    );
}

function addMonitorOptions(command: Command): Command {
  for (const { flag, value, help } of Object.values(monitorKinds)) {
    command.addOption(
      new Option(`${flag} <name=${value.toLowerCase()}>`, help)
        .helpGroup("The server's load:")
        .argParser(collect)
        .default([]),
    );
  }
  return command;
}

function addOutcomeOptions(command: Command, { out, reports }: OutWords): Command {
  return command
    .addOption(
      new Option(
        "--threshold <metric: expression>",
        'fail unless this holds: "http_req_duration: p(95)<300ms"',
      )
        .helpGroup("Pass or fail:")
        .argParser(collect)
        .default([]),
    )
    .addOption(
      new Option("--abort-on-fail", "end the run as soon as a --threshold fails")
        .helpGroup("Pass or fail:")
        .default(false),
    )
    .addOption(
      new Option(out, `also write a report: ${reports}`).helpGroup("Output:").argParser(collect).default([]),
    )
    .addOption(latencyOption())
    .addOption(new Option("--quiet", "print only the summary").helpGroup("Output:").default(false))
    .addOption(
      new Option("--tag <name=value>", "tag every sample, to group and filter by: team=shop")
        .helpGroup("Output:")
        .argParser(collect)
        .default([]),
    )
    .addOption(
      new Option(
        "--max-failed <share>",
        "limit of failed requests and iterations without a threshold: 5%",
      ).helpGroup("Pass or fail:"),
    )
    .addOption(
      new Option("--expect-failures", "accept requests that all fail, and a target that goes away")
        .helpGroup("Pass or fail:")
        .default(false),
    )
    .addOption(
      new Option("--allow-saturated", "judge times and rates even if the load generator was saturated")
        .helpGroup("Pass or fail:")
        .default(false),
    )
    .addOption(
      new Option("--strict-generator", "exit with 112 if the load generator was saturated")
        .helpGroup("Pass or fail:")
        .default(false),
    );
}

/** The option of the commands that can show a page in a browser. */
export function uiOption(help = "show the run in your browser while it goes on"): Option {
  return new Option("--ui", help).helpGroup("Output:").default(false);
}

/** The option of the command that an editor starts. */
export function problemsOption(): Option {
  return new Option("--problems", "print failed thresholds and errors as file:line:column, for editors")
    .helpGroup("Output:")
    .default(false);
}

export function latencyOption(): Option {
  return new Option("--latency", "print all percentiles of response times, as HdrHistogram does")
    .helpGroup("Output:")
    .default(false);
}

/** One who types a line waits for it. The iterations of a test may be long, and have k6's 30 s. */
export const oneLinerStopMs = 2000;

/** A one-liner's duration: a number alone is seconds, as in wrk and autocannon. */
export function inSeconds({ duration }: Pick<LoadFlags, "duration">): Pick<LoadFlags, "duration"> {
  if (duration === undefined) return {};
  return { duration: /^\d+(?:\.\d+)?$/.test(duration) ? `${duration}s` : duration };
}

export interface LoadedFile {
  /** The file that the command loads. */
  readonly file?: string | undefined;
  /** True if it may declare metrics, which are not known yet. */
  readonly hasOwnMetrics: boolean;
  /** Further files that it reads. */
  readonly inputs?: readonly (string | undefined)[];
}

/** Reads every option and adds a sentence to `problems` for each that cannot be used. */
export function readFlags(
  flags: LoadFlags,
  { file, hasOwnMetrics, inputs: further = [] }: LoadedFile,
  problems: string[],
): RunOptions {
  const options = readRunOptions(flags, problems);
  problems.push(...options.thresholds.flatMap((one) => earlyThresholdProblems(one, hasOwnMetrics)));
  if (file !== undefined) problems.push(...lonePathProblems(options.variants));
  const certificates = [flags.ca, flags.cacert, flags.cert, flags.key];
  const inputs = [file, flags.envFile, ...certificates, ...further].filter((path) => path !== undefined);
  problems.push(...findOutProblems(flags.out, inputs));
  readSinks(flags.out, process.env, problems);
  readSampleRule(flags.samples, ndjsonPath(flags.out), problems);
  return options;
}

/** An option that may be given several times. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
