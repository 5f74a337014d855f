import type { ForeignFlag } from "./foreign-flag.ts";

const none = "has no equivalent here";

/** Flags that only k6 has. */
export const k6Flags: readonly ForeignFlag[] = [
  { flag: "--http-debug", tools: "k6", says: "is bearhug try FILE here, which prints each exchange" },
  {
    flag: "--summary-trend-stats",
    tools: "k6",
    hasValue: true,
    is: "--latency",
    says: "which prints all percentiles; the summary has p50 to p99 without it",
  },
  { flag: "--summary-mode", tools: "k6", hasValue: true, says: "is not needed: the summary is complete" },
  {
    flag: "--summary-time-unit",
    tools: "k6",
    hasValue: true,
    says: "is not needed: times are in milliseconds",
  },
  {
    flag: "--no-summary",
    tools: "k6",
    says: `${none}: send the summary to /dev/null, and write a report with --out`,
  },
  { flag: "--no-color", tools: "k6 and oha", says: "is the variable NO_COLOR=1 here" },
  { flag: "--no-thresholds", tools: "k6", says: `${none}: leave the thresholds out of the test` },
  { flag: "--no-setup", tools: "k6", says: `${none}: leave setup out of the test` },
  { flag: "--no-teardown", tools: "k6", says: `${none}: leave teardown out of the test` },
  { flag: "--no-usage-report", tools: "k6", says: "is not needed: nothing is reported to anybody" },
  {
    flag: "--include-system-env-vars",
    tools: "k6",
    says: "is not needed: a test reads the variables that it declares in env",
  },
  { flag: "--execution-segment", tools: "k6", hasValue: true, is: "--shard 1/2" },
  { flag: "--execution-segment-sequence", tools: "k6", hasValue: true, is: "--shard 1/2" },
  { flag: "--address", tools: "k6", hasValue: true, is: "--ui" },
  { flag: "--linger", tools: "k6", says: "is not needed: the result is in the reports of --out" },
  { flag: "--paused", tools: "k6", is: "--start-at 2026-12-01T09:00:00Z" },
  {
    flag: "--discard-response-bodies",
    tools: "k6",
    says: "is http: { discardBodies: true } in a test",
  },
  { flag: "--throw", tools: "k6", says: "is http: { throwOnError: true } in a test" },
  { flag: "--max-redirects", tools: "k6", hasValue: true, says: "is http: { redirects: 10 } in a test" },
  { flag: "--batch", tools: "k6", hasValue: true, says: "is http: { maxConnections: 6 } in a test" },
  {
    flag: "--batch-per-host",
    tools: "k6",
    hasValue: true,
    says: "is http: { maxConnections: 6 } in a test",
  },
  { flag: "--no-cookies-reset", tools: "k6", says: 'is http: { cookies: "vu" } in a test' },
  { flag: "--no-vu-connection-reuse", tools: "k6", says: `${none}: a virtual user keeps its connections` },
  { flag: "--local-ips", tools: "k6", hasValue: true, says: "is http: { localAddresses: […] } in a test" },
  { flag: "--dns", tools: "k6", hasValue: true, says: "is http: { dns: { … } } in a test" },
  {
    flag: "--block-hostnames",
    tools: "k6",
    hasValue: true,
    says: "is not needed: only the hosts that a test names are contacted",
  },
  {
    flag: "--blacklist-ip",
    tools: "k6",
    hasValue: true,
    says: "is not needed: only the hosts that a test names are contacted",
  },
  {
    flag: "--min-iteration-duration",
    tools: "k6",
    hasValue: true,
    is: "--rate",
    says: "which starts iterations at a rate",
  },
  { flag: "--system-tags", tools: "k6", hasValue: true, says: "is not needed: series are bounded" },
  { flag: "--console-output", tools: "k6", hasValue: true, says: `${none}: send stderr to a file` },
  { flag: "--log-output", tools: "k6", hasValue: true, says: `${none}: send stderr to a file` },
  { flag: "--log-format", tools: "k6", hasValue: true, says: `${none}: messages are lines of text` },
  {
    flag: "--traces-output",
    tools: "k6",
    hasValue: true,
    says: "is http: { traceparent: true } in a test, which your own tracing collects",
  },
];
