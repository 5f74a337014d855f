import type { TestResult } from "@bearhug/sdk";

import { type NdjsonFile, openNdjson } from "../ndjson/ndjson-file.ts";
import type { RecordingFile } from "../recording/recording-file.ts";
import { openReporters } from "../reporter-thread/open-reporters.ts";
import { createReporters, isOwnReporter, ndjsonPath } from "../reporters/index.ts";
import { createMultiplexer, type Multiplexer } from "../reporters/multiplexer.ts";
import type { LoadFlags } from "./load-options.ts";

/** The outputs that `--out` names: files, streams, and the user's own reporters. */
export interface Outputs {
  /** Written when the run is over. */
  readonly files: Multiplexer;
  /** Updated during the run. */
  readonly sinks: Multiplexer;
  readonly samples: NdjsonFile["samples"];
  /** Ends the live outputs; returns the result with notes on what they lost. */
  readonly end: (result: TestResult) => Promise<TestResult>;
  readonly close: () => Promise<void>;
}

/** Opens the outputs of a run. @throws {InvalidInput} with one sentence for each that cannot be opened */
export async function openOutputs(
  { out, samples }: LoadFlags,
  recording: RecordingFile,
  warn: (text: string) => void,
): Promise<Outputs> {
  const threads = await openReporters({ files: out.filter(isOwnReporter), outs: out }, warn);
  try {
    const ndjson = await openNdjson(ndjsonPath(out), samples, warn);
    const parts = { recording: () => recording.read(), ndjson, own: threads.own };
    return {
      files: createMultiplexer(createReporters(out, [], parts), warn),
      sinks: createMultiplexer(threads.sinks, warn),
      samples: ndjson?.samples ?? null,
      end: (result) => threads.endSinks(ndjson?.noteShed(result) ?? result),
      close: async () => {
        await Promise.all([threads.close(), ndjson?.close()]);
      },
    };
  } catch (error) {
    await threads.close();
    throw error;
  }
}
