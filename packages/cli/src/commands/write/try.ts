import { executeRun } from "@bearhug/engine/run/conduct-run";
import { loadModule } from "@bearhug/engine/run/load-test";
import { launchTraced } from "@bearhug/engine/worker/launch-in-this-thread";
import { redactHar } from "@bearhug/har-import";
import { chooseExitCode, exitCodes, type ExitCode } from "@bearhug/metrics/results/exit-codes";
import type { TracedExchange, Tracer } from "@bearhug/plan/clients/tracer";
import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { withOneIteration } from "@bearhug/plan/executors/per-vu-iterations";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { readCount } from "@bearhug/plan/test-file/quantities";
import {
  loadFlags,
  readRunOptions,
  type RunOptions,
  type WrittenOptions,
} from "@bearhug/plan/test-file/run-options";
import { FileNotWritten, writeFiles } from "@bearhug/report/file-output/write-files";
import { renderErrors } from "@bearhug/report/terminal/errors";
import { createStyle, type Style } from "@bearhug/report/terminal/style";
import { whyPathUnusable } from "@bearhug/report/write-report";
import type { TestResult } from "@bearhug/sdk";
import { codesOfSuccess } from "@bearhug/sdk/internal";
import type { OddRequests } from "@bearhug/sdk/result";
import { formatCounted } from "@bearhug/text/number";
import type { TextKind } from "@bearhug/text/secrets/find-named-secrets";
import { describeTerminal } from "@bearhug/text/terminal";
import { createTextOutput } from "@bearhug/text/text-output";
import { Command, Option } from "commander";

import { setExitCode } from "../leave.ts";
import { addAction } from "../reading.ts";
import { switchOption } from "../options.ts";
import type { Step, StepCounts } from "../../documents/documents.ts";
import { printDocument } from "../print-document.ts";
import { countSteps, createStepCollector } from "../../tracing/collect-steps.ts";
import { createTracePrinter } from "../../tracing/print-trace.ts";
import { toHar } from "../../tracing/to-har.ts";
import { listenForSignals } from "../stop-signals.ts";
import { envFromOption, envOption, flagOption, jsonOption } from "../load-options.ts";
import { onlyTestProblem } from "../command-line/test-file-problem.ts";
import { printMessage, warn } from "../warn.ts";

interface TryFlags extends Omit<WrittenOptions, "iterations"> {
  /** The number of iterations of each scenario. */
  readonly iterations?: string;
  readonly har?: string;
  readonly withSecrets: boolean;
  readonly json: boolean;
}

export function createCommand(): Command {
  const command = new Command("try")
    .description("run one iteration of each scenario and print every exchange")
    .argument("<file>", "a test (.ts, .js; - for standard input)")
    .addOption(flagOption({ ...loadFlags.target, help: "send to this site instead of the test's baseUrl" }))
    .addOption(flagOption({ ...loadFlags.scenario, help: "try only these scenarios: browse,buy" }))
    .addOption(envOption())
    .addOption(envFromOption())
    .addOption(flagOption(loadFlags.limitHosts))
    .addOption(
      flagOption({ ...loadFlags.iterations, help: "iterations of each scenario, one after another" }).default(
        undefined,
        "1",
      ),
    )
    .addOption(flagOption(loadFlags.seed))
    .addOption(new Option("--har <out.har>", "write the exchanges as a recording, without secrets"))
    .addOption(switchOption("--with-secrets", "keep secrets in the recording of --har"))
    .addOption(jsonOption());
  return addAction(command, readTryOptions, tryTest);
}

/** The parsed command line of `bearhug try`. */
interface TryOptions {
  readonly file: string;
  readonly options: RunOptions;
  readonly iterations: number;
}

function readTryOptions([file]: readonly string[], flags: TryFlags, problems: string[]): TryOptions {
  const problem = file === undefined ? null : onlyTestProblem(file);
  if (problem !== null) problems.push(problem);
  const noPlace =
    flags.har === undefined ? null : whyPathUnusable(flags.har, file === undefined ? [] : [file]);
  if (noPlace !== null) problems.push(`--har ${flags.har ?? ""}: ${noPlace}`);
  if (flags.withSecrets && flags.har === undefined)
    problems.push("--with-secrets: only works with --har. Add --har FILE.");
  const { iterations, ...others } = flags;
  return {
    file: file ?? "",
    options: readRunOptions({ ...others, workers: "0" }, problems),
    iterations: readCount("--iterations", iterations, 1, problems) ?? 1,
  };
}

async function tryTest(read: TryOptions, flags: TryFlags): Promise<void> {
  const style = createStyle(describeTerminal(process.stdout));
  const output = createTextOutput(process.stdout);
  const print = (line: string): void => {
    void output.write(`${line}\n`).catch(() => undefined);
  };
  const steps: Step[] = [];
  const { tracer, counts } = countSteps(
    flags.json ? createStepCollector(steps) : createTracePrinter(style, print),
  );
  const recorded: RecordedExchanges = { exchanges: [], hide: unmasked };
  const result = await runTraced(read, flags.har === undefined ? tracer : recordExchanges(tracer, recorded));
  const loss = flags.har === undefined ? null : await writeHar(flags.har, recorded, flags.withSecrets);
  const exitCode = chooseExitCode([
    conclude(result, counts),
    ...(loss === null ? [] : [exitCodes.reportNotWritten]),
  ]);
  if (flags.json) {
    const all = [...result.errors, ...odditiesOfStages(result)];
    const errors = all.map(({ code, message, count }) => ({ code, message, count }));
    const messages = [...result.messages, ...(loss === null ? [] : [loss])];
    const { seed } = read.options;
    await printDocument({ schema: "bearhug/try@1", exitCode, messages, seed, counts, steps, errors });
  } else for (const line of renderEnd(result, counts, exitCode, style)) print(line);
  setExitCode(exitCode);
}

async function runTraced({ file, options, iterations }: TryOptions, tracer: Tracer): Promise<TestResult> {
  const loaded = await loadModule(file);
  const { interruptions, enterTeardown, stopListening } = listenForSignals(warn);
  try {
    return await executeRun({
      loaded,
      options,
      interruptions,
      changeTest: (test) => fewOfEach(test, iterations),
      launch: launchTraced(tracer),
      observer: {
        onTeardown: enterTeardown,
        onLog: ({ level, text }) => warn(level === "info" ? text : `${level}: ${text}`),
        onWarning: printMessage,
      },
      recorder: null,
    });
  } finally {
    stopListening();
    loaded.remove();
  }
}

/** Long enough for pauses in a debugger. */
const maxDurationMs = 3_600_000;

/**
 * Reduces a test to a few iterations of each scenario, keeps all bodies, and drops thresholds, which need a
 * load.
 */
function fewOfEach(test: ValidatedTest, iterations: number): ValidatedTest {
  const scenarios = test.scenarios.map((scenario) => ({
    ...withOneIteration(scenario, maxDurationMs),
    iterations,
    http: { ...scenario.http, discardBodies: false },
  }));
  return { ...test, scenarios, thresholds: [], warmupMs: 0, http: { ...test.http, discardBodies: false } };
}

/** The recorded exchanges of a test. */
interface RecordedExchanges {
  readonly exchanges: TracedExchange[];
  /** Masks all secrets that were seen by the end of the test. */
  hide: (text: string, kind: TextKind) => string;
}

/** Returns a tracer that also records all exchanges. */
function recordExchanges(tracer: Tracer, recorded: RecordedExchanges): Tracer {
  return {
    ...tracer,
    exchange: (exchange, mask) => {
      recorded.exchanges.push(exchange);
      recorded.hide = mask.hide;
      tracer.exchange(exchange, mask);
    },
  };
}

/**
 * Returns the exit code: any failure fails a try, as it has no thresholds. What is odd about successful
 * requests is only shown.
 */
function conclude({ exitCode, errors }: TestResult, { failedChecks, failedRequests }: StepCounts): ExitCode {
  const hasError = errors.some(({ code }) => !codesOfSuccess.has(code));
  const hasFailed = failedChecks > 0 || failedRequests > 0 || hasError;
  return chooseExitCode([exitCode, ...(hasFailed ? [exitCodes.thresholdsFailed] : [])]);
}

/** Returns what was odd about successful requests outside of the load, which the errors do not include. */
function odditiesOfStages({ accounting }: TestResult): (OddRequests & { readonly stage: string })[] {
  return (["setup", "vuState", "teardown"] as const).flatMap((stage) =>
    (accounting[stage]?.oddities ?? []).map((odd) => ({ ...odd, stage })),
  );
}

function renderEnd(result: TestResult, counts: StepCounts, exitCode: ExitCode, style: Style): string[] {
  const errors = renderErrors({ ...result, exemplars: { pages: [], errors: [] } }, style);
  const { requests, checks, failedRequests, failedChecks } = counts;
  const facts = `${formatCounted(requests, "request")} (${failedRequests} failed), ${formatCounted(checks, "check")} (${failedChecks} failed), seed ${result.seed}`;
  const { passed, failed } = style.symbols;
  return [
    "",
    ...(errors.length > 0 ? [...errors, ""] : []),
    ...odditiesOfStages(result).flatMap(({ stage, code, name, message }) =>
      style.paragraph(style.text(`${code} in ${stage}, ${name}: ${message}`), { indent: 0 }),
    ),
    ...result.messages.flatMap((message) =>
      style.paragraph(style.text(message.split("\n", 1)[0] ?? ""), { indent: 0 }),
    ),
    exitCode === exitCodes.passed
      ? `${style.good(passed)} ${facts}`
      : `${style.bad(failed)} ${facts}, exit code ${exitCode}`,
  ];
}

function unmasked(text: string): string {
  return text;
}

/** Readable by its owner alone. */
const ownerOnly = 0o600;

/**
 * Writes the exchanges as a HAR file. Without `withSecrets`, two masks apply: the run's, for this test's
 * secrets, and the importer's, for secrets that captures typically contain. Returns why the file could not be
 * written; null otherwise.
 */
async function writeHar(
  path: string,
  { exchanges, hide }: RecordedExchanges,
  withSecrets: boolean,
): Promise<string | null> {
  if (exchanges.length === 0) {
    warn(`${path} was not written: the test sent nothing.`);
    return null;
  }
  const [nowMs, now] = [systemClock.now(), systemClock.date().getTime()];
  const dateOf = (clockMs: number): Date => new Date(now + clockMs - nowMs);
  const whole = JSON.stringify(toHar(exchanges, { hide: withSecrets ? unmasked : hide, dateOf }));
  try {
    await writeFiles([
      { path, content: withSecrets ? whole : redactHar(() => [Buffer.from(whole)]), mode: ownerOnly },
    ]);
    return null;
  } catch (error) {
    if (!(error instanceof FileNotWritten)) throw error;
    warn(`bearhug try: ${error.message}`);
    return error.message;
  }
}
