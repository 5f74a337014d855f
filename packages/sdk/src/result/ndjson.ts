import type { Timings } from "../http/timings.ts";
import type { IntervalSnapshot, RunDescription } from "./reporter.ts";
import type { TestResult } from "./result.ts";

/** One line of the file that `--out ndjson=FILE` writes during a run. */
export type NdjsonLine = RunLine | IntervalLine | SampleLine | EndLine;

interface Timed {
  /** Milliseconds since 1970-01-01 (UTC). */
  readonly time: number;
}

/** The first line, which describes the run. */
export interface RunLine extends RunDescription, Timed {
  readonly type: "run";
  readonly schema: "bearhug/ndjson@1";
}

/** One second of the run; `time` is its end. */
export interface IntervalLine extends Omit<IntervalSnapshot, "series">, Timed {
  readonly type: "interval";
}

/** A request that ended; `time` is the time of the test's call. Only with `--samples`. */
export interface SampleLine extends Timed {
  readonly type: "sample";
  /** The request's name, as in tables. */
  readonly name: string;
  /** Tags besides `name`, such as `scenario`, `page` and `method`. */
  readonly tags: Readonly<Record<string, string>>;
  /** The status of the response; 0 without a response. */
  readonly status: number;
  /** The code of its error, as in the result's `errors`; null for a success. */
  readonly error: string | null;
  /** Phases in ms; null if no connection opened. */
  readonly timings: Timings | null;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** The trace ID of its `traceparent` header, 32 hexadecimal digits; absent without that header. */
  readonly traceId?: string;
}

/** The last line: the end of the run. It is missing if the process was killed. */
export interface EndLine
  extends Pick<TestResult, "verdict" | "exitCode" | "messages" | "notes" | "partial">, Timed {
  readonly type: "end";
  /**
   * Samples that were written, and samples that were dropped to keep up with the load; null without
   * `--samples`.
   */
  readonly samples: { readonly written: number; readonly shed: number } | null;
}
