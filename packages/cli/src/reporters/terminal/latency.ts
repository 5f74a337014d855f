import type { TestResult } from "@bearhug/sdk";

import { percentileLines } from "../hdr/percentile-text.ts";
import { responseTimes } from "../hdr/response-times.ts";
import type { Style } from "./style.ts";

const indent = "  ";

/** The percentiles of response times, in the text form of HdrHistogram. */
export function renderLatency(result: TestResult, style: Style): string[] {
  return responseTimes(result).flatMap(({ client, ...times }, index) => [
    ...(index === 0 ? [] : [""]),
    style.heading("Response times", `${client === null ? "" : `of ${style.text(client)}, `}in ms`),
    ...percentileLines(times).map((line) => (line === "" ? line : indent + line)),
  ]);
}
