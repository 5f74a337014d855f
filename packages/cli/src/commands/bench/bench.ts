import { loadUrl } from "@bearhug/engine/run/load-test";
import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import { lonePathProblems } from "@bearhug/plan/test-file/read-variants";
import { loadFlags, type RunOptions } from "@bearhug/plan/test-file/run-options";
import { Command, Option } from "commander";

import { addOptions } from "../options.ts";
import { addAction } from "../reading.ts";
import { readConnections, type ConnectionFlags } from "./bench-connections.ts";
import { filesOf, readRequests, type RequestFlags } from "./bench-requests.ts";
import {
  addLoadOptions,
  inSeconds,
  oneLinerStopMs,
  flagOption,
  uiOption,
  samplesOption,
  readFlags,
  type LoadFlags,
} from "../load-options.ts";
import { addRequestOptions } from "../request-options.ts";

type BenchFlags = LoadFlags & RequestFlags & ConnectionFlags & { readonly requests?: string };

export function createCommand(): Command {
  const command = new Command("bench")
    .description("load URLs as fast as they answer")
    .argument("[url...]", "URLs to request; each request picks one at random");
  addOptions(command, "Load", [
    new Option("-c, --connections <n>", "concurrent connections, one request at a time each").default(
      undefined,
      "10; with --rate as many as needed",
    ),
    new Option("-d, --duration <time>", "duration of the load: 10s, 1m").default(undefined, "10s"),
    new Option("-n, --requests <n>", "stop after this many requests instead"),
    new Option("--rate <rate>", "requests to start, however slow the target is: 500, 500/s, 30k/m"),
    new Option("--max-active-requests <n>", "limit of requests in flight, spread over the -c connections"),
    flagOption(loadFlags.arrivals),
    flagOption(loadFlags.overload),
  ]);
  addLoadOptions(addRequestOptions(command)).addOption(samplesOption()).addOption(uiOption());
  return addAction(command, readBench, bench);
}

interface Bench {
  readonly requests: readonly UrlRequest[];
  readonly options: RunOptions;
}

function readBench(urls: readonly string[], flags: BenchFlags, reported: string[]): Bench {
  const problems: string[] = [];
  const requests = readRequests(urls, flags, problems);
  const data = dataProblem(flags);
  if (data !== null) problems.push(data);
  const { duration: _, ...untimed } = flags;
  const written = {
    ...(data === null ? { ...flags, ...inSeconds(flags) } : untimed),
    ...(flags.requests === undefined ? {} : { iterations: flags.requests }),
  };
  const connections = readConnections(flags, requests, problems);
  const options = {
    ...readFlags(written, { hasOwnMetrics: false, inputs: filesOf(flags) }, problems),
    ...connections,
    maxGracefulStopMs: oneLinerStopMs,
  };
  if (requests.length > 1) problems.push(...lonePathProblems(options.variants, "several URLs are requested"));
  if (flags.arrivals !== undefined && flags.rate === undefined) {
    problems.push("--arrivals: needs an arrival rate. Add --rate, such as --rate 500.");
  }
  problems.push(...plainHttp2Problems(requests, options));
  reported.push(...problems.map((problem) => renameOptions(addForeignAdvice(problem))));
  return { requests, options };
}

/** Returns a sentence if `-d` was given a request body, as for curl; otherwise null. */
function dataProblem({ duration = "" }: BenchFlags): string | null {
  if (!/^[{["@]|[=&]/.test(duration)) return null;
  return `-d ${duration}: -d is the duration of the load here, such as -d 30s. To send a body, as -d and --data of curl do, use --body '${duration}'.`;
}

/** Returns a sentence for each address where HTTP/2 cannot be negotiated. */
function plainHttp2Problems(requests: readonly UrlRequest[], { http: { given } }: RunOptions): string[] {
  if (given.protocol !== "http2") return [];
  const plain = requests.map(({ url }) => url).filter((url) => url.startsWith("http:"));
  return plain.map(
    (url) =>
      `--protocol http2: ${url} has no TLS, in which HTTP/2 is negotiated. For HTTP/2 without TLS, use --protocol h2c.`,
  );
}

async function bench({ requests, options }: Bench, flags: BenchFlags): Promise<void> {
  const { runAndReport } = await import("../run/run-and-report.ts");
  await runAndReport({ file: null, load: () => Promise.resolve(loadUrl(...requests)), options, flags });
}

/** Replaces the names of run's options by the shorter ones of this command. */
function renameOptions(problem: string): string {
  return problem.replace(/^--duration /, "-d ").replace(/^--iterations /, "-n ");
}

/** Advice for values that suggest the user meant the same letter of another tool. */
const foreignAdvice: readonly (readonly [problem: RegExp, advice: string])[] = [
  [
    /^--timeout: Duration "[^"]*\//,
    'For a content type, as with -T of ab and hey, use -H "content-type: …".',
  ],
  [/^--workers \d+(?:ms|s|m):/, "For a timeout, as with -t of oha, use -T 20s."],
  [
    /^-p \d+: there is no file/,
    'For pipelining, as with -p of autocannon, write a test with transport: "undici".',
  ],
  [/^-X \S+:\d+:/, "For a proxy, as with -X of ab, use -x http://host:port."],
];

/** Adds advice to a problem if the value fits another tool's option of that name. */
function addForeignAdvice(problem: string): string {
  const advice = foreignAdvice.find(([pattern]) => pattern.test(problem))?.[1];
  return advice === undefined ? problem : `${problem} ${advice}`;
}
