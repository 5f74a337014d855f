import type { HistogramBuckets, HistogramPrecision } from "@bearhug/metrics/histogram";
import { decodeHistogram } from "@bearhug/metrics/histogram-encoding";
import { sumBy } from "@bearhug/metrics/sum";
import type { ClientInterval, TestResult } from "@bearhug/sdk";
import type { CensoredSamples } from "@bearhug/sdk/result";

/** The response times of one kind of client, in microseconds. */
export interface ResponseTimes {
  /** Null for HTTP. */
  readonly client: string | null;
  /** The intervals with samples. */
  readonly intervals: readonly TimedHistogram[];
  /** Null if no sample was cut off. */
  readonly censored: CensoredSamples | null;
}

/** The response times of one interval. */
export interface TimedHistogram {
  /** The start of the interval, from the start of the load. */
  readonly startMs: number;
  readonly widthMs: number;
  /** The text in the result: HdrHistogram's compressed V2 encoding in base64. */
  readonly encoded: string;
  readonly precision: HistogramPrecision;
  readonly buckets: HistogramBuckets;
}

/** Returns the response times of HTTP, then those of other clients; clients without samples are left out. */
export function responseTimes({ intervals }: TestResult): ResponseTimes[] {
  const others = new Set(intervals.flatMap(({ clients = {} }) => Object.keys(clients)));
  return [null, ...others].flatMap((client) => {
    const ofClient = intervals.map((interval) => ({
      ...interval,
      ...(client === null ? interval : (interval.clients?.[client] ?? noTimes)),
    }));
    const timed = ofClient.flatMap(({ atMs, widthMs, responseTime }) => {
      const decoded = responseTime === null ? null : decodeHistogram(responseTime);
      if (responseTime === null || decoded === null) return [];
      return [{ startMs: atMs - widthMs, widthMs, encoded: responseTime, ...decoded }];
    });
    if (timed.length === 0) return [];
    return [{ client, intervals: timed, censored: joinCensored(ofClient) }];
  });
}

type Times = Pick<ClientInterval, "responseTime" | "responseTimeCensored">;
const noTimes: Times = { responseTime: null };

function joinCensored(intervals: readonly Times[]): CensoredSamples | null {
  const all = intervals.flatMap(({ responseTimeCensored: one }) => (one === undefined ? [] : [one]));
  if (all.length === 0) return null;
  return {
    samples: sumBy(all, ({ samples }) => samples),
    from: Math.min(...all.map(({ from }) => from)),
  };
}
