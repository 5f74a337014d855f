import type { Duration, Reporter } from "@bearhug/sdk";
import { closestName } from "@bearhug/sdk/internal";

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
  /** Worker threads; 0 runs in this thread. A test object always runs in this thread. @default cores − 1 */
  readonly workers?: number;
  /** Apply load for this long before measuring. */
  readonly warmup?: Duration;
  /** Stop gracefully after receiving this much: `"10GB"`. */
  readonly maxData?: string;
  /** Random seed, to repeat a run. */
  readonly seed?: number;
  /** Bandwidth to the target, to tell when it is used up: `"1Gbps"`. */
  readonly link?: string;
  readonly protocol?: "auto" | "http1" | "http2" | "h2c";
  /** The HTTP client to send with. */
  readonly transport?: "bearhug" | "undici";
  /** Default request timeout. */
  readonly timeout?: Duration;
  /** Skip TLS certificate verification. @default false */
  readonly insecure?: boolean;
  /** Trust only the certificate authorities in this PEM file. */
  readonly ca?: string;
  /** Send requests through this proxy. */
  readonly proxy?: string;
  /** Connect to these addresses instead of the hosts: `{ "shop.test:443": "127.0.0.1:8443" }`. */
  readonly resolve?: Readonly<Record<string, string>>;
  /** Connect to this Unix socket instead of the host. */
  readonly unixSocket?: string;
  /** Count response bytes, keep no bodies. @default false */
  readonly discardBodies?: boolean;
  /** Fail the run (exit code 112) if the load generator was saturated. @default false */
  readonly strictGenerator?: boolean;
  /** Reports to write, as `--out` takes them: `["json=result.json", "junit"]`. */
  readonly out?: readonly string[];
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

const texts = [
  ...([
    "target",
    "vus",
    "duration",
    "iterations",
    "envFile",
    "workers",
    "warmup",
    "maxData",
    "seed",
  ] as const),
  ...(["link", "protocol", "transport", "timeout", "ca", "proxy", "unixSocket"] as const),
] as const;
const switches = ["insecure", "discardBodies"] as const;
const others = [
  ...(["scenario", "env", "tags", "thresholds", "resolve"] as const),
  ...(["strictGenerator", "out", "signal", "reporters", "onMessage"] as const),
] as const;
const known: readonly (keyof RunTestOptions)[] = [...texts, ...switches, ...others];

/** One sentence for each name that is no option. */
export function unknownOptions(options: RunTestOptions): string[] {
  return Object.keys(options)
    .filter((name) => !known.some((one) => one === name))
    .map((name) => {
      const meant = closestName(name, known);
      return `${name}: unknown option.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
    });
}

/** The options as a command line would write them: one reader judges both. */
export function writeOptions(options: RunTestOptions): WrittenOptions {
  const { scenario = [], env = {}, tags = {}, thresholds = {}, resolve = {} } = options;
  const written = texts.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, textOf(name, value)] as const];
  });
  return {
    ...Object.fromEntries(written),
    ...Object.fromEntries(switches.map((name) => [name, options[name] === true])),
    scenario: typeof scenario === "string" ? [scenario] : scenario,
    env: pairs(env),
    tag: pairs(tags),
    resolve: pairs(resolve),
    threshold: Object.entries(thresholds).flatMap(([metric, bounds]) =>
      [bounds].flat().map((bound) => `${metric}: ${bound}`),
    ),
  };
}

const durations: ReadonlySet<string> = new Set(["duration", "warmup", "timeout"]);

function textOf(name: string, value: string | number | URL): string {
  return typeof value === "number" && durations.has(name) ? `${value}ms` : String(value);
}

function pairs(record: Readonly<Record<string, string>>): string[] {
  return Object.entries(record).map(([name, value]) => `${name}=${value}`);
}

const names: Readonly<Record<string, string>> = { tag: "tags", threshold: "thresholds" };

/** A problem that names flags, in the words of the options. */
export function inWordsOfOptions(problem: string): string {
  return problem.replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?= |:|,|$)/g, (_, flag: string) => {
    const name = flag.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase());
    return names[name] ?? name;
  });
}
