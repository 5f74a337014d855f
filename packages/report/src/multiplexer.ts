import { exitCodes, withReasons, type ExitCode } from "@bearhug/metrics/results/exit-codes";
import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";
import { printable } from "@bearhug/text/printable";

import type { Reporter } from "./reporter.ts";
import { ReportNotWritten } from "./write-report.ts";

/**
 * Several reporters as one. An exception in one affects neither the run nor another reporter, but its report
 * counts as not written.
 */
export interface Multiplexer {
  /** True if any reporter needs the series of each snapshot. */
  readonly wantsSeries: boolean;
  onStart(run: RunDescription): void;
  onInterval(snapshot: IntervalSnapshot): void;
  /** Passes what remains when the load is over to the reporters that need series. */
  onFinalSeries(rest: IntervalSnapshot): void;
  /** Resolves when all have ended. */
  onEnd(result: TestResult): Promise<Ending>;
}

/** The reports that were written, and the problems of those that were not. */
export interface Ending {
  readonly problems: readonly ReportNotWritten[];
  readonly written: readonly Reporter[];
}

/** Adds to a result the reports that could not be written. */
export function addUnwrittenReports(
  result: TestResult,
  problems: Ending["problems"],
): TestResult & { readonly exitCode: ExitCode } {
  const code = exitCodes.reportNotWritten;
  return withReasons(
    result,
    problems.map(({ message }) => ({ code, message })),
  );
}

/**
 * Combines reporters. `warn` receives one line the first time that a reporter throws, and no more, since
 * intervals come every second.
 */
export function createMultiplexer(reporters: readonly Reporter[], warn: (line: string) => void): Multiplexer {
  const failures = new Map<Reporter, ReportNotWritten>();
  const failed = (reporter: Reporter, error: unknown): void => {
    if (failures.has(reporter)) return;
    warn(`The ${reporter.name} reporter failed: ${printable(String(error))}`);
    failures.set(reporter, new ReportNotWritten(reporter.name, error));
  };
  const each = (call: (reporter: Reporter) => unknown): void => {
    for (const reporter of reporters) {
      try {
        const returned = call(reporter);
        if (returned instanceof Promise) returned.catch((error: unknown) => failed(reporter, error));
      } catch (error) {
        failed(reporter, error);
      }
    }
  };
  return {
    wantsSeries: reporters.some(({ wantsSeries }) => wantsSeries === true),
    onStart(run) {
      each((reporter) => reporter.onStart?.(run));
    },
    onInterval(snapshot) {
      const { series: _, ...figures } = snapshot;
      each((reporter) => reporter.onInterval?.(reporter.wantsSeries === true ? snapshot : figures));
    },
    onFinalSeries(rest) {
      each((reporter) => {
        if (reporter.wantsSeries === true) return reporter.onInterval?.(rest);
        return undefined;
      });
    },
    async onEnd(result) {
      const ended = await Promise.all(reporters.map((reporter) => end(reporter, result)));
      const endings = reporters.map((reporter, index) => ended[index] ?? failures.get(reporter));
      const problems = endings.filter((problem) => problem !== undefined);
      for (const problem of problems) warn(printable(problem.message));
      return { problems, written: reporters.filter((_, index) => endings[index] === undefined) };
    },
  };
}

async function end(reporter: Reporter, result: TestResult): Promise<ReportNotWritten | undefined> {
  try {
    await reporter.onEnd(result);
    return undefined;
  } catch (error) {
    return error instanceof ReportNotWritten ? error : new ReportNotWritten(reporter.name, error);
  }
}
