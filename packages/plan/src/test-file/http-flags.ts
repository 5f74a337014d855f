import { sentenceOf } from "@bearhug/sdk/internal";
import { destinationProblem, hostKey, hostKeyProblem } from "../http-options/host-destinations.ts";
import type { GivenHttp, ValidatedHttp } from "../http-options/validated-http.ts";
import {
  type HttpOptionName,
  httpOptionNames,
  httpOptions,
  mergeHttp,
} from "../http-options/option-table.ts";
import { readHttpOptions } from "../http-options/read-http.ts";
import type { ValidatedTls, ValidatedTlsClient } from "../http-options/tls.ts";

export interface Flag {
  /** As in `--help`: `--proxy <url>`. */
  readonly flags: string;
  readonly help: string;
  /** True if it may be given several times. */
  readonly isRepeatable?: boolean;
  /** The default, in words. */
  readonly usually?: string;
  /** The same flag by its name in curl, which help does not list. */
  readonly alias?: string;
  /** Its topic in help. */
  readonly topic: string;
}

/** Flags that set a part of an option. */
const partialFlags: readonly Omit<Flag, "topic">[] = [
  { flags: "-k, --insecure", help: "skip TLS certificate verification" },
  {
    flags: "--ca <file>",
    help: "trust only the certificate authorities in this file: PEM or DER",
    alias: "--cacert <file>",
  },
  { flags: "-E, --cert <file>", help: "client certificate: PEM, DER or PKCS #12 (PFX)" },
  {
    flags: "--key <file>",
    help: "private key of the client certificate, unless its file has it: PEM or DER",
  },
  { flags: "--pass <phrase>", help: "passphrase of the private key, or of the PKCS #12" },
  {
    flags: "--resolve <host=address>",
    help: "connect to this address instead of the host; ports optional",
    isRepeatable: true,
  },
  { flags: "--no-keep-alive", help: "open a new connection for each request" },
];

/**
 * Every flag about requests: one for each option of `http` with a flag in the SDK's table, and those that set
 * a part of an option.
 */
export const httpFlags: readonly Flag[] = [
  ...httpOptionNames.flatMap((name) => {
    const { flag } = httpOptions[name];
    if (flag === undefined) return [];
    const short = flag.short === undefined ? "" : `${flag.short}, `;
    const { value = "", help, topic = "HTTP client" } = flag;
    return [{ flags: `${short}${flagOf(name)} ${value}`.trim(), help, topic }];
  }),
  ...partialFlags.map((flag) => ({ ...flag, topic: "HTTP client" })),
];

/** The flags about requests as written on the command line. */
export type WrittenHttp = {
  readonly [Name in HttpOptionName]?: Name extends "discardBodies" | "traceparent" ? boolean : string;
} & {
  readonly insecure?: boolean;
  readonly ca?: string;
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly pass?: string;
  /** `HOST[:PORT]=ADDRESS[:PORT]`, or curl's `HOST:PORT:ADDRESS[,ADDRESS…]` */
  readonly resolve?: readonly string[];
  readonly noKeepAlive?: boolean;
};

/** The flags about requests in parsed form. */
export interface HttpFlags {
  /** Options that a flag sets as a whole. */
  readonly given: GivenHttp;
  readonly insecure: boolean;
  /** PEM, or the path of a file; null if it is not given. */
  readonly ca: string | null;
  /** The client certificate, in place of the test's; null if it is not given. */
  readonly client: ValidatedTlsClient | null;
  /** Addresses by host, from `--resolve`. */
  readonly hosts: ValidatedHttp["hosts"];
}

/** Reads the flags about requests and adds a sentence to `problems` for each that cannot be used. */
export function readHttpFlags(written: WrittenHttp, problems: string[]): HttpFlags {
  const { insecure = false, resolve = [], proxy, unixSocket, noKeepAlive = false } = written;
  if (proxy !== undefined && proxy !== "" && unixSocket !== undefined) {
    problems.push("--proxy, --unix-socket: cannot be combined. Remove one of them.");
  }
  if (unixSocket !== undefined && resolve.length > 0) {
    problems.push(
      "--resolve, --unix-socket: cannot be combined: connections to a socket look up no host. Remove one of them.",
    );
  }
  if (noKeepAlive && written.maxRequestsPerConnection !== undefined) {
    problems.push(
      "--max-requests-per-connection, --no-keep-alive: cannot be combined: without keep-alive it is 1. Remove one of them.",
    );
  }
  if (noKeepAlive && written.maxConnectionAge !== undefined) {
    problems.push(
      "--max-connection-age, --no-keep-alive: cannot be combined: without keep-alive no connection gets old. Remove one of them.",
    );
  }
  if (written.protocol === "http1" && written.maxConcurrentStreams !== undefined) {
    problems.push(
      "--max-concurrent-streams: is only for HTTP/2, but --protocol is http1. Remove one of them.",
    );
  }
  const values: Partial<Record<HttpOptionName, unknown>> = Object.fromEntries(
    httpOptionNames
      .filter((name) => httpOptions[name].flag !== undefined && written[name] !== false)
      .map((name): [string, unknown] => [name, valueOf(name, written[name])]),
  );
  const addProblem = (name: HttpOptionName, problem: string): void => {
    problems.push(sentenceOf(flagOf(name), ": ", problem));
  };
  const given = readHttpOptions(values, addProblem, { areFlags: true });
  const kept = noKeepAlive ? { ...given, connections: "perRequest" as const } : given;
  const ca = readAuthorities(written, problems);
  const client = readClient(written, problems);
  return { given: kept, insecure, ca, client, hosts: readHosts(resolve, problems) };
}

function readAuthorities({ ca, cacert }: WrittenHttp, problems: string[]): string | null {
  if (ca !== undefined && cacert !== undefined)
    problems.push("--ca, --cacert: are the same. Remove one of them.");
  return ca ?? cacert ?? null;
}

function readClient({ cert, key, pass }: WrittenHttp, problems: string[]): ValidatedTlsClient | null {
  if (cert !== undefined) return { cert, key: key ?? null, passphrase: pass ?? null };
  if (key !== undefined) problems.push("--key: needs its certificate. Give it, too, with --cert.");
  else if (pass !== undefined) problems.push("--pass: is for --cert, which is missing.");
  return null;
}

/** Converts numbers, which flags give as text. */
function valueOf(name: HttpOptionName, written: string | boolean | undefined): unknown {
  const isNumber = httpOptions[name].flag?.value === "<n>" && /^\d+$/.test(String(written));
  return isNumber ? Number(written) : written;
}

/** Returns `--unix-socket` for `unixSocket`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

function readHosts(texts: readonly string[], problems: string[]): Record<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const text of texts) {
    const { host, addresses } = readResolve(text);
    if (host === undefined || addresses.length === 0) {
      problems.push(`--resolve ${text}: must be written HOST=ADDRESS, or HOST:PORT:ADDRESS as for curl.`);
      continue;
    }
    const wrong =
      named("the host", hostKeyProblem(host)) ??
      named(
        "the address",
        addresses.map(destinationProblem).find((problem) => problem !== undefined),
      );
    if (wrong !== undefined) problems.push(`--resolve ${text}: ${wrong}.`);
    const name = hostKey(host);
    hosts.set(name, [...(hosts.get(name) ?? []), ...addresses]);
  }
  return Object.fromEntries(hosts);
}

interface Resolve {
  readonly host: string | undefined;
  readonly addresses: readonly string[];
}

/** Reads `HOST[:PORT]=ADDRESS[:PORT]`, or curl's form: `[+]HOST:PORT:ADDRESS[,ADDRESS…]`. */
function readResolve(text: string): Resolve {
  const [, host, address = ""] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (host !== undefined) return { host, addresses: [address] };
  const [, curlHost, addresses] = /^\+?([^:]+:\d+):(.+)$/.exec(text) ?? [];
  return { host: curlHost, addresses: addresses?.split(",") ?? [] };
}

function named(what: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${what} ${problem}`;
}

/** Overrides the options of a test with the flags of the command line. */
export function overrideHttp(http: ValidatedHttp, flags: HttpFlags): ValidatedHttp {
  const { given, hosts } = flags;
  return {
    ...mergeHttp({ ...http, ...replacedReach(given) }, given),
    hosts: { ...remaining(http.hosts, hosts), ...hosts },
    tls: overrideTls(http.tls, flags),
  };
}

/** Returns the test's hosts without those that the command line redirects, on any port. */
function remaining(hosts: ValidatedHttp["hosts"], flags: ValidatedHttp["hosts"]): ValidatedHttp["hosts"] {
  return Object.fromEntries(
    Object.entries(hosts).filter(([key]) => flags[key.replace(/:\d+$/, "")] === undefined),
  );
}

/**
 * Returns the options that a proxy or a socket switches off, because a connection takes only one way. An
 * empty proxy is none.
 */
function replacedReach({ proxy, unixSocket }: GivenHttp): Partial<ValidatedHttp> {
  if (unixSocket !== undefined) return { proxy: null, localAddresses: [] };
  return proxy === undefined || proxy === "" ? {} : { unixSocket: null };
}

/**
 * Trusts other authorities, or any certificate. The client's own certificate stays unless the command line
 * gives one for all requests.
 */
function overrideTls(tls: ValidatedTls, { ca, client, insecure }: HttpFlags): ValidatedTls {
  return {
    ...tls,
    ...(client && { ...client, clients: [] }),
    ca: ca === null ? tls.ca : [ca],
    insecureSkipTlsVerify: insecure || tls.insecureSkipTlsVerify,
  };
}
