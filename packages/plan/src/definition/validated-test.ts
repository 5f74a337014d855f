import type { ValidatedMetric } from "@bearhug/metrics/metric-catalog";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import type { Tags } from "@bearhug/sdk";
import { z, once } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";

import { durationSchema } from "../validation/duration.ts";
import type { ValidatedEnv } from "./declared-env.ts";
import type { ValidatedFeed } from "./feed-options.ts";
import type { ValidatedHttp } from "../http-options/validated-http.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import { textProblem } from "../validation/name-rules.ts";
import { checkedText, optionsObject, tagsSchema } from "../validation/option-schemas.ts";

/**
 * A valid test as plain data, which can be cloned and sent. Durations are milliseconds, defaults are filled
 * in.
 */
export interface ValidatedTest {
  /** Null if the test has no name of its own. */
  readonly name: string | null;
  readonly tags: Tags;
  readonly baseUrl: string | null;
  readonly allowHosts: readonly string[];
  readonly siteHosts: readonly string[];
  readonly allowUnmeasured: boolean;
  /** The options of setup and teardown, and of scenarios that have none of their own. */
  readonly http: ValidatedHttp;
  readonly env: Readonly<Record<string, ValidatedEnv>>;
  readonly metrics: Readonly<Record<string, ValidatedMetric>>;
  /** In the order they were written. */
  readonly feeds: readonly ValidatedFeed[];
  readonly hasSetup: boolean;
  readonly hasVuState: boolean;
  readonly setupTimeoutMs: number;
  readonly hasTeardown: boolean;
  readonly teardownTimeoutMs: number;
  readonly hasSummary: boolean;
  readonly summaryTimeoutMs: number;
  readonly warmupMs: number;
  /** In the order they were written. */
  readonly scenarios: readonly ValidatedScenario[];
  /** One for each expression, in the order they were written. */
  readonly thresholds: readonly ValidatedThreshold[];
}

const minuteMs = 60_000;

const absoluteAddress = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/i;
const hostAndPort = /^(?:\[[\da-f:.]+\]|[^\s/?#@:[\]\\]+)(?::\d{1,5})?$/i;

const functionSchema = once(() =>
  z.custom((value) => typeof value === "function", {
    error: ({ input }) => `must be a function, but is ${showValue(input)}`,
  }),
);

const nameSchema = once(() => checkedText(textProblem));

const baseUrlSchema = once(() =>
  z.string().regex(absoluteAddress, {
    error: ({ input }) =>
      `must be an http or https address such as "http://127.0.0.1:8080", without user, query or fragment, but is ${showValue(input)}`,
  }),
);

const hostSchema = once(() =>
  z.string().regex(hostAndPort, {
    error: ({ input }) =>
      `must be a host such as "api.example.com" or "127.0.0.1:8080", but is ${showValue(input)}`,
  }),
);

/** A test without the parts that are validated together: http, env, metrics, feeds, scenarios, thresholds. */
export type ValidatedTopLevel = Omit<
  ValidatedTest,
  "http" | "env" | "metrics" | "feeds" | "scenarios" | "thresholds"
>;

export const topLevelSchema: () => z.ZodType<ValidatedTopLevel> = once(() =>
  optionsObject(
    "a test",
    {
      name: nameSchema().optional(),
      tags: tagsSchema().default({}),
      baseUrl: baseUrlSchema().optional(),
      allowHosts: z.array(hostSchema()).default([]),
      siteHosts: z.array(hostSchema()).default([]),
      allowUnmeasured: z.boolean().default(false),
      http: z.unknown().optional(),
      env: z.unknown().optional(),
      metrics: z.unknown().optional(),
      feeds: z.unknown().optional(),
      vuState: functionSchema().optional(),
      setup: functionSchema().optional(),
      setupTimeout: durationSchema().default(minuteMs),
      scenarios: z.unknown().optional(),
      teardown: functionSchema().optional(),
      teardownTimeout: durationSchema().default(minuteMs),
      summary: functionSchema().optional(),
      summaryTimeout: durationSchema().default(minuteMs),
      warmup: durationSchema(0).default(0),
      expectNoRequests: z.boolean().default(false),
      expectFailures: z.boolean().default(false),
      thresholds: z.unknown().optional(),
    },
    k6Options,
  ).transform((test) => ({
    name: test.name ?? null,
    tags: test.tags,
    baseUrl: test.baseUrl ?? null,
    allowHosts: test.allowHosts,
    siteHosts: test.siteHosts,
    allowUnmeasured: test.allowUnmeasured,
    hasSetup: test.setup !== undefined,
    hasVuState: test.vuState !== undefined,
    setupTimeoutMs: test.setupTimeout,
    hasTeardown: test.teardown !== undefined,
    teardownTimeoutMs: test.teardownTimeout,
    hasSummary: test.summary !== undefined,
    summaryTimeoutMs: test.summaryTimeout,
    warmupMs: test.warmup,
  })),
);

function inScenario(executor: string, options: string): string {
  return `it is one of a scenario: scenarios: { main: { executor: "${executor}", ${options}, exec: … } }`;
}

function inHttp(option: string): string {
  return `write http: { ${option} }`;
}

const constantVUs = inScenario("constant-vus", 'vus: 10, duration: "30s"');

/**
 * Advice for k6 options that are written at the top level of a test: the places of their equivalents in
 * bearhug.
 */
const k6Options: ReadonlyMap<string, string> = new Map([
  ["stages", inScenario("ramping-vus", "stages: […]")],
  ["vus", constantVUs],
  ["duration", constantVUs],
  ["iterations", inScenario("shared-iterations", "vus: 10, iterations: 100")],
  ["executor", "it is one of a scenario: scenarios: { main: { executor: …, exec: … } }"],
  ["exec", "it is one of a scenario: scenarios: { main: { executor: …, exec: … } }"],
  ["default", "write the function as the exec of a scenario: scenarios: { main: { executor: …, exec: … } }"],
  ["options", "write scenarios and thresholds in the test itself"],
  ["handleSummary", "write summary: (result) => …"],
  ["rps", inScenario("constant-arrival-rate", "rate: 100")],
  ["minIterationDuration", inScenario("constant-arrival-rate", "rate: 100")],
  ["batch", inHttp("maxConnections: 6")],
  ["batchPerHost", inHttp("maxConnections: 6")],
  ["discardResponseBodies", inHttp("discardBodies: true")],
  ["dns", inHttp("dns: { … }")],
  ["hosts", inHttp("hosts: { … }")],
  ["insecureSkipTLSVerify", inHttp("tls: { insecureSkipTlsVerify: true }")],
  ["localIPs", inHttp("localAddresses: […]")],
  ["maxRedirects", inHttp("redirects: 10")],
  ["noConnectionReuse", inHttp('connections: "perRequest"')],
  ["noCookiesReset", inHttp('cookies: "vu"')],
  ["throw", inHttp("throwOnError: true")],
  ["tlsAuth", inHttp("tls: { cert, key }")],
  ["tlsVersion", inHttp('tls: { minVersion: "1.2" }')],
  ["userAgent", inHttp('headers: { "user-agent": … }')],
]);
