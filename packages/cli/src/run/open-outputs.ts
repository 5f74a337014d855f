import type { RunObserver } from "@bearhug/engine/run/run-request";
import { createReporters, isOwnReporter, ndjsonPath, type ReportSources } from "@bearhug/report/index";
import { createMultiplexer, type Multiplexer } from "@bearhug/report/multiplexer";
import { type NdjsonFile, openNdjson } from "@bearhug/report/ndjson/ndjson-file";
import type { Reporter } from "@bearhug/report/reporter";
import type { TestResult } from "@bearhug/sdk";

import { openReporters } from "../reporter-thread/open-reporters.ts";

/** The outputs of `--out`: files, streams, and the user's own reporters. */
export interface Outputs {
  /** Reports that are written when the run is over. */
  readonly files: Multiplexer;
  /** Outputs that are updated during the run. */
  readonly sinks: Multiplexer;
  readonly samples: NdjsonFile["samples"] | null;
  /** Ends the live outputs; returns the result with notes on what they lost. */
  readonly end: (result: TestResult) => Promise<TestResult>;
  /** Gives up the user's reporters and the sinks that have not ended: they count as failed. */
  readonly stopWaiting: () => void;
  readonly close: () => Promise<void>;
}

interface OutputRequest extends Pick<ReportSources, "recording"> {
  readonly out: readonly string[];
  /** The value of `--samples`: the requests that ndjson records. */
  readonly samples?: string | undefined;
  /** Further reporters, which run in this thread. */
  readonly reporters?: readonly Reporter[];
}

/** Opens the outputs of a run. @throws {InvalidInput} with one sentence for each that cannot be opened */
export async function openOutputs(
  { out, samples, recording, reporters = [] }: OutputRequest,
  warn: (text: string) => void,
): Promise<Outputs> {
  const threads = await openReporters({ files: out.filter(isOwnReporter), outs: out }, warn);
  try {
    const ndjson = await openNdjson(ndjsonPath(out), samples, warn);
    const parts = { ndjson, own: threads.own, ...(recording && { recording }) };
    return {
      files: createMultiplexer([...createReporters(out, [], parts), ...reporters], warn),
      sinks: createMultiplexer(threads.sinks, warn),
      samples: ndjson?.samples ?? null,
      end: (result) => threads.endSinks(ndjson?.addShedNote(result) ?? result),
      stopWaiting: () => threads.stopWaiting(),
      close: async () => {
        await Promise.all([threads.close(), ndjson?.close()]);
      },
    };
  } catch (error) {
    await threads.close();
    throw error;
  }
}

/**
 * Combines an observer that forwards the run to reporters with one that shows its logs and warnings to the
 * user.
 */
export function observeFor(
  reporters: readonly Multiplexer[],
  userObserver: Omit<RunObserver, "wantsSeries" | "onStart" | "onProgress" | "onFinalSeries">,
): RunObserver {
  return {
    ...userObserver,
    wantsSeries: reporters.some(({ wantsSeries }) => wantsSeries),
    onStart: (run) => {
      for (const reporter of reporters) reporter.onStart(run);
    },
    onProgress: (progress) => {
      for (const reporter of reporters) reporter.onInterval(progress);
    },
    onFinalSeries: (rest) => {
      for (const reporter of reporters) reporter.onFinalSeries(rest);
    },
  };
}
