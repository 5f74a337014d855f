import { Command, Option } from "commander";

import { InvalidInput } from "../invalid-input.ts";
import type { UrlRequest } from "../protocol/definition-source.ts";
import { loadUrl } from "../run/load-test.ts";
import type { RunOptions } from "../test-file/run-options.ts";
import { addLoadOptions, arrivalsOption, collect, readFlags, type LoadFlags } from "./load-options.ts";
import { testFileProblem } from "./test-file-problem.ts";

interface BenchFlags extends LoadFlags {
  readonly connections?: string;
  readonly requests?: string;
  readonly header: readonly string[];
  readonly method?: string;
  readonly body?: string;
}

export function createCommand(): Command {
  const command = new Command("bench")
    .description("load one URL as fast as it answers")
    .argument("<url>", "URL to request")
    .addOption(
      new Option("-c, --connections <n>", "concurrent connections, one request at a time each").default(
        undefined,
        "10; with --rate as many as needed",
      ),
    )
    .addOption(new Option("-d, --duration <time>", "duration of the load: 10s, 1m").default(undefined, "10s"))
    .addOption(new Option("-n, --requests <n>", "stop after this many requests instead"))
    .addOption(
      new Option("--rate <rate>", "requests to start, however slow the target is: 500, 500/s, 30k/m"),
    )
    .addOption(arrivalsOption())
    .addOption(
      new Option("-H, --header <name: value>", "add a request header").argParser(collect).default([]),
    )
    .addOption(
      new Option("-X, --method <method>", "request method").default(undefined, "GET, or POST with a body"),
    )
    .addOption(new Option("-b, --body <text>", "request body"));
  return addLoadOptions(command).action(bench);
}

export function findProblems([url = "localhost"]: readonly string[], command: Command): string[] {
  return readBench(url, command.opts<BenchFlags>()).problems;
}

interface Bench {
  readonly request: UrlRequest;
  readonly options: RunOptions;
  readonly problems: string[];
}

function readBench(url: string, flags: BenchFlags): Bench {
  const problems: string[] = [];
  const request = readRequest(url, flags, problems);
  const written = {
    ...flags,
    ...(flags.connections === undefined ? {} : { vus: flags.connections }),
    ...(flags.requests === undefined ? {} : { iterations: flags.requests }),
  };
  const options = readFlags(written, { hasOwnMetrics: false }, problems);
  if (flags.arrivals !== undefined && flags.rate === undefined) {
    problems.push("--arrivals: needs an arrival rate. Add --rate, such as --rate 500.");
  }
  return { request, options, problems: problems.map(inBenchWords) };
}

async function bench(url: string, flags: BenchFlags): Promise<void> {
  const { request, options, problems } = readBench(url, flags);
  if (problems.length > 0) throw new InvalidInput(problems);
  const { runAndReport } = await import("./run-and-report.ts");
  await runAndReport(() => Promise.resolve(loadUrl(request)), options, flags, null);
}

/** The options of the request to one URL. */
export type RequestFlags = Pick<BenchFlags, "header" | "method" | "body">;

/** Reads the request to one URL; adds a sentence to `problems` for each option that cannot be used. */
export function readRequest(url: string, flags: RequestFlags, problems: string[]): UrlRequest {
  const headers = readHeaders(flags.header, problems);
  const { href, authorization } = readAddress(url, problems);
  if (authorization !== null && headers.some(([name]) => name.toLowerCase() === "authorization")) {
    problems.push("-H authorization: the URL contains a user, too. Remove one of them.");
  }
  return {
    method: readMethod(flags, problems),
    url: href,
    headers: authorization === null ? headers : [...headers, ["authorization", authorization]],
    body: flags.body ?? null,
  };
}

function readMethod({ method, body }: RequestFlags, problems: string[]): string {
  const read = (method ?? (body === undefined ? "GET" : "POST")).toUpperCase();
  if (!/^[!#$%&'*+.^_`|~0-9A-Z-]+$/.test(read)) problems.push(`-X ${read}: is not an HTTP method.`);
  if (read === "CONNECT") problems.push("-X CONNECT: opens a tunnel and cannot be used here.");
  return read;
}

/** An address without its user and password, which nothing is to show, and what they are sent as. */
interface BenchAddress {
  readonly href: string;
  readonly authorization: string | null;
}

function readAddress(url: string, problems: string[]): BenchAddress {
  const problem = testFileProblem(url);
  if (problem !== null) {
    problems.push(problem);
    return { href: url, authorization: null };
  }
  const parsed = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`);
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    const shown = url.replace(/^([^:/?#]*:\/\/)?[^/?#]*@/, "$1***@");
    problems.push(
      `"${shown}" is neither a command nor an address. Try bearhug --help, or an address such as http://127.0.0.1:8080/.`,
    );
    return { href: shown, authorization: null };
  }
  const authorization = readUser(parsed, problems);
  parsed.username = "";
  parsed.password = "";
  return { href: parsed.href, authorization };
}

/** As basic authentication (RFC 7617), which has a colon between the two. */
function readUser({ username, password }: URL, problems: string[]): string | null {
  if (username === "" && password === "") return null;
  try {
    const user = decodeURIComponent(username);
    if (!user.includes(":")) {
      return `Basic ${Buffer.from(`${user}:${decodeURIComponent(password)}`).toString("base64")}`;
    }
    problems.push("<url>: the user name must not contain a colon, which starts the password.");
  } catch {
    problems.push("<url>: percent-encode the user and password; write % as %25.");
  }
  return null;
}

function readHeaders(texts: readonly string[], problems: string[]): [string, string][] {
  return texts.flatMap((text): [string, string][] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*([^\r\n]*)$/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value]];
    problems.push(`-H "${text}": must be written "name: value".`);
    return [];
  });
}

/** The same options have shorter names here. */
function inBenchWords(problem: string): string {
  return problem
    .replace(/^--vus /, "-c ")
    .replace(/^--duration /, "-d ")
    .replace(/^--iterations /, "-n ");
}
