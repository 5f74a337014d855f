import type { Duration, HttpOptions, Reporter } from "@bearhug/sdk";
import { closestName } from "@bearhug/sdk/internal";

import { isReporter } from "../reporter-thread/messages.ts";
import type { WrittenOptions } from "../test-file/run-options.ts";

/** Options of {@link runTest}: those of `bearhug run`, typed. They win over the test's own. */
export interface RunTestOptions {
  /** Load this site instead of the test's `baseUrl`. */
  readonly target?: string | URL;
  /** Virtual users. A test of several scenarios needs `scenario`, too. */
  readonly vus?: number;
  /** Duration of the load. */
  readonly duration?: Duration;
  /** Total iterations, shared by the VUs. */
  readonly iterations?: number;
  /**
   * Iterations to start, however slow the target is: a number is per second; `"30k/m"` is 30,000 a minute. `vus` is then the
   * most virtual users.
   */
  readonly rate?: number | string;
  /** Spacing of arrivals at a rate. @default as the scenario says, else "uniform" */
  readonly arrivals?: "uniform" | "poisson";
  /** Run only these scenarios. @default all */
  readonly scenario?: string | readonly string[];
  /** Values of variables that the test declares. They win over `envFile`, that over the process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Path of a .env file to read variables from. */
  readonly envFile?: string;
  /** Tags of every sample. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Thresholds to add: `{ http_req_duration: ["p(95)<300ms"] }`. */
  readonly thresholds?: Readonly<Record<string, string | readonly string[]>>;
  /** End the run as soon as one of `thresholds` fails. @default false */
  readonly abortOnFail?: boolean;
  /** Worker threads; 0 runs in this thread. A test object always runs in this thread. @default cores − 1 */
  readonly workers?: number;
  /** Apply load for this long before measuring. */
  readonly warmup?: Duration;
  /** Stop gracefully after receiving this much: `"10GB"`. */
  readonly maxData?: string;
  /**
   * The share of requests and of iterations that may fail: `"5%"`. @default 5 % if no threshold is on failures; any share otherwise
   */
  readonly maxFailed?: string;
  /** Requests may fail, all of them too, and the target may go away. @default as the test says */
  readonly expectFailures?: boolean;
  /** Judge times and rates even if the load generator was saturated. @default false */
  readonly allowSaturated?: boolean;
  /** Random seed, to repeat a run. */
  readonly seed?: number;
  /** Bandwidth to the target, to tell when it is used up: `"1Gbps"`. */
  readonly link?: string;
  /**
   * Servers and processes to read once a second, by name: the address of an exporter, with further families after commas, or
   * the id of a process of this machine. `{ web: "http://10.0.0.5:9100,node_load1", app: 1234 }`
   */
  readonly monitors?: Readonly<Record<string, string | number>>;
  readonly protocol?: NonNullable<HttpOptions["protocol"]>;
  /** The HTTP client to send with. */
  readonly transport?: NonNullable<HttpOptions["transport"]>;
  /** Maximum number of concurrent requests on one HTTP/2 connection. */
  readonly maxConcurrentStreams?: number;
  /** Close a connection after this many requests. */
  readonly maxRequestsPerConnection?: number;
  /** Close a connection at this age, to notice changes of DNS. */
  readonly maxConnectionAge?: Duration;
  /** Open a new connection for each request. @default false */
  readonly noKeepAlive?: boolean;
  /** Default request timeout. */
  readonly timeout?: Duration;
  /** Skip TLS certificate verification. @default false */
  readonly insecure?: boolean;
  /** Trust only the certificate authorities in this file: PEM or DER. */
  readonly ca?: string;
  /** The client certificate: a file with PEM, DER or PKCS #12 (PFX). */
  readonly cert?: string;
  /** The private key of the client certificate, unless its file has it: a file with PEM or DER. */
  readonly key?: string;
  /** The passphrase of the private key, or of the PKCS #12. */
  readonly pass?: string;
  /** Send requests through this proxy. */
  readonly proxy?: string;
  /** Connect to these hosts without the proxy: `"localhost,*.internal,10.0.0.0/8"`. */
  readonly noProxy?: string;
  /** Connect to these addresses instead of the hosts: `{ "shop.test:443": "127.0.0.1:8443" }`. */
  readonly resolve?: Readonly<Record<string, string>>;
  /** Connect to this Unix socket instead of the host. */
  readonly unixSocket?: string;
  /** Count response bytes, keep no bodies. @default false */
  readonly discardBodies?: boolean;
  /** Send a `traceparent` header with each request. @default false */
  readonly traceparent?: boolean;
  /** Fail the run (exit code 112) if the load generator was saturated. @default false */
  readonly strictGenerator?: boolean;
  /** Reports to write, as `--out` takes them: `["json=result.json", "junit"]`. */
  readonly out?: readonly string[];
  /** Requests to write to `ndjson=FILE` in `out`, too: `"all"`, `"errors"`, or a share such as `"1%"`. */
  readonly samples?: string;
  /**
   * Ends the run early, as one Ctrl+C does: running iterations may finish within their `gracefulStop`, teardown runs, and
   * the result says `interrupted`.
   */
  readonly signal?: AbortSignal;
  /** Watch the run from this thread, which they must not block. */
  readonly reporters?: readonly Reporter[];
  /** Called with each message for people: warnings, and what the test logs. @default they are dropped */
  readonly onMessage?: (message: string) => void;
}

interface Kind {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
}

const text: Kind = { wanted: "a text", holds: (value) => typeof value === "string" };
const number: Kind = { wanted: "a number", holds: (value) => typeof value === "number" };
const aSwitch: Kind = { wanted: "true or false", holds: (value) => typeof value === "boolean" };
const duration: Kind = {
  wanted: 'milliseconds or a time such as "30s"',
  holds: (value) => text.holds(value) || number.holds(value),
};
const texts = listOf(text, "texts");
const textsByName = recordOf(text, "texts");
const boundsByName = recordOf(
  { wanted: "", holds: (value) => text.holds(value) || texts.holds(value) },
  'texts, such as { http_req_duration: ["p(95)<300ms"] }',
);

const sourcesByName = recordOf(
  { wanted: "", holds: (value) => text.holds(value) || number.holds(value) },
  'addresses and process ids, such as { server: "http://10.0.0.5:9100", app: 1234 }',
);

/** Options that a command line would write as one text. */
const written = {
  target: { wanted: "a URL or a text", holds: (value) => value instanceof URL || text.holds(value) },
  vus: number,
  duration,
  iterations: number,
  envFile: text,
  workers: number,
  warmup: duration,
  maxData: text,
  maxFailed: text,
  seed: number,
  link: text,
  protocol: text,
  transport: text,
  timeout: duration,
  maxConnectionAge: duration,
  rate: {
    wanted: 'a number or a rate such as "500/s"',
    holds: (value) => text.holds(value) || number.holds(value),
  },
  maxConcurrentStreams: number,
  maxRequestsPerConnection: number,
  arrivals: text,
  ca: text,
  cert: text,
  key: text,
  pass: text,
  proxy: text,
  noProxy: text,
  unixSocket: text,
} satisfies Partial<Record<keyof RunTestOptions, Kind>>;

const switches = {
  insecure: aSwitch,
  discardBodies: aSwitch,
  traceparent: aSwitch,
  noKeepAlive: aSwitch,
  abortOnFail: aSwitch,
  expectFailures: aSwitch,
  allowSaturated: aSwitch,
  strictGenerator: aSwitch,
};

const kinds: Readonly<Record<keyof RunTestOptions, Kind>> = {
  ...written,
  ...switches,
  scenario: {
    wanted: "a text or a list of texts",
    holds: (value) => text.holds(value) || texts.holds(value),
  },
  env: textsByName,
  tags: textsByName,
  resolve: textsByName,
  thresholds: boundsByName,
  monitors: sourcesByName,
  out: texts,
  samples: text,
  signal: { wanted: "an AbortSignal", holds: (value) => value instanceof AbortSignal },
  reporters: listOf({ wanted: "", holds: isReporter }, "reporters, such as { onEnd(result) { … } }"),
  onMessage: { wanted: "a function", holds: (value) => typeof value === "function" },
};

function listOf(kind: Kind, things: string): Kind {
  return { wanted: `a list of ${things}`, holds: (value) => Array.isArray(value) && value.every(kind.holds) };
}

function recordOf(kind: Kind, things: string): Kind {
  const holds = (value: unknown): boolean => isRecord(value) && Object.values(value).every(kind.holds);
  return { wanted: `an object of ${things}`, holds };
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One sentence for each name that is no option. */
export function unknownOptions(options: RunTestOptions): string[] {
  const known = Object.keys(kinds);
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = closestName(name, known);
      return `${name}: unknown option.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
    });
}

/** One sentence for each option of another type: callers in JavaScript have no compiler that tells them. */
export function mistypedOptions(options: RunTestOptions): string[] {
  if (!isRecord(options)) return ["The options of runTest must be an object."];
  const given = new Map<string, unknown>(Object.entries(options));
  return Object.entries(kinds)
    .filter(([name, { holds }]) => given.get(name) !== undefined && !holds(given.get(name)))
    .map(([name, { wanted }]) => `${name} must be ${wanted}.`);
}

/** The options as a command line would write them: one reader judges both. */
export function writeOptions(options: RunTestOptions): WrittenOptions {
  const { scenario = [], env = {}, tags = {}, thresholds = {}, resolve = {}, monitors = {} } = options;
  const given = namesOf(written).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, textOf(name, value)] as const];
  });
  return {
    ...Object.fromEntries(given),
    ...Object.fromEntries(namesOf(switches).map((name) => [name, options[name] === true])),
    scenario: typeof scenario === "string" ? [scenario] : scenario,
    env: pairs(env),
    tag: pairs(tags),
    resolve: pairs(resolve),
    monitor: pairs(ofType("string", monitors)),
    monitorPid: pairs(ofType("number", monitors)),
    threshold: Object.entries(thresholds).flatMap(([metric, bounds]) =>
      [bounds].flat().map((bound) => `${metric}: ${bound}`),
    ),
  };
}

function namesOf<Name extends string>(record: Readonly<Record<Name, Kind>>): Name[] {
  return Object.keys(record).filter((name): name is Name => name in record);
}

function textOf(name: keyof typeof written, value: string | number | URL): string {
  return typeof value === "number" && written[name] === duration ? `${value}ms` : String(value);
}

function ofType<Value>(
  type: "string" | "number",
  record: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value === type));
}

function pairs(record: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(record).map(([name, value]) => `${name}=${value}`);
}

const names: Readonly<Record<string, string>> = {
  tag: "tags",
  threshold: "thresholds",
  monitor: "monitors",
  monitorPid: "monitors",
  envFrom: "envFile",
};

/** A problem that names flags, in the words of the options. */
export function inWordsOfOptions(problem: string): string {
  return problem.replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?= |:|,|$)/g, (_, flag: string) => {
    const name = flag.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase());
    return names[name] ?? name;
  });
}
