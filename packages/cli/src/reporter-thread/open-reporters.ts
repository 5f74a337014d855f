import { bundleTest } from "@bearhug/plan/test-file/bundle";
import { readSinks } from "@bearhug/report/sinks/read-sinks";
import { InvalidInput, type TestResult } from "@bearhug/sdk";
import { errorMessage } from "@bearhug/text/caught-error";
import { printable } from "@bearhug/text/printable";

import type { ReporterThreadStart } from "./messages.ts";
import { ThreadReporter } from "./thread-reporter.ts";

/** The reporters of a run that run in their own threads. */
export class ThreadReporters {
  /** The user's own reporters. A failure counts as a report that was not written. */
  readonly own: readonly ThreadReporter[];
  /** bearhug's own sinks, which receive metrics during the run. */
  readonly sinks: readonly ThreadReporter[];

  constructor(own: readonly ThreadReporter[], sinks: readonly ThreadReporter[]) {
    this.own = own;
    this.sinks = sinks;
  }

  /**
   * Ends the sinks. Returns the result with notes on metrics that did not arrive, which do not affect the
   * verdict.
   */
  async endSinks(result: TestResult): Promise<TestResult> {
    const losses = await Promise.all(this.sinks.map((sink) => endSink(sink, result)));
    return { ...result, notes: [...result.notes, ...losses.flat()] };
  }

  /** Gives up those that have not ended: they count as failed. */
  stopWaiting(): void {
    for (const reporter of [...this.own, ...this.sinks]) reporter.stopWaiting();
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await Promise.all([...this.own, ...this.sinks].map((reporter) => reporter.close()));
  }
}

async function endSink(sink: ThreadReporter, result: TestResult): Promise<readonly string[]> {
  try {
    await sink.onEnd(result);
    return sink.losses;
  } catch (error) {
    return [...sink.losses, `${sink.name}: ${printable(errorMessage(error))}; metrics may be missing there`];
  }
}

/** A thread to open. */
interface ThreadRequest {
  readonly name: string;
  readonly open: (warn: (text: string) => void) => Promise<ThreadReporter>;
}

/**
 * Starts the user's reporters in these files, and the sinks named by `outs`, each in its own thread, so that
 * it cannot delay the load.
 * @throws {InvalidInput} with one sentence for each that cannot be started
 */
export async function openReporters(
  { files, outs = [] }: { readonly files: readonly string[]; readonly outs?: readonly string[] },
  warn: (text: string) => void,
): Promise<ThreadReporters> {
  const problems: string[] = [];
  const sinks = readSinks(outs, process.env, problems).map(({ out, ...sink }) => {
    // The name appears in warnings and notes, and the query of a URL may contain a key.
    const name = out.replace(/\?.*$/s, "");
    return {
      name,
      open: (onWarning: (text: string) => void) => start(name, { kind: "sink", sink }, onWarning),
    };
  });
  const own = files.map((file) => ({
    name: file,
    open: (onWarning: (text: string) => void) => startFile(file, onWarning),
  }));
  const opened = new ThreadReporters(
    await openAll(own, problems, warn),
    await openAll(sinks, problems, warn),
  );
  if (problems.length === 0) return opened;
  await opened.close();
  throw new InvalidInput(problems);
}

async function openAll(
  requests: readonly ThreadRequest[],
  problems: string[],
  warn: (text: string) => void,
): Promise<ThreadReporter[]> {
  const opened: ThreadReporter[] = [];
  for (const { name, open } of requests) {
    try {
      opened.push(await open(warn));
    } catch (error) {
      if (error instanceof InvalidInput) problems.push(...error.problems);
      else problems.push(`--out ${name}: ${errorMessage(error)}`);
    }
  }
  return opened;
}

async function startFile(file: string, warn: (text: string) => void): Promise<ThreadReporter> {
  const bundle = await bundleTest(file);
  try {
    return await start(file, { kind: "file", path: bundle.path }, warn);
  } finally {
    bundle.remove();
  }
}

async function start(
  name: string,
  how: ReporterThreadStart,
  warn: (text: string) => void,
): Promise<ThreadReporter> {
  let isLoaded = false;
  const reporter = new ThreadReporter(name, how, (text) => {
    if (isLoaded) warn(printable(text));
  });
  await reporter.load();
  isLoaded = true;
  return reporter;
}
