import {
  destinationProblem,
  hostKey,
  hostKeyProblem,
  proxyProblem,
  socketPathProblem,
  type ValidatedHttp,
} from "@bearhug/sdk/internal";

import { readPositiveDuration } from "./duration-option.ts";

/** What the command line says of how requests are sent, as it was written. */
export interface WrittenHttp {
  readonly insecure?: boolean;
  readonly protocol?: string;
  readonly transport?: string;
  readonly timeout?: string;
  readonly proxy?: string;
  /** `HOST[:PORT]=ADDRESS[:PORT]` */
  readonly resolve?: readonly string[];
  readonly unixSocket?: string;
  readonly ca?: string;
  readonly discardBodies?: boolean;
}

/** The same, read. Null and false where nothing was said. */
export interface HttpFlags {
  readonly insecure: boolean;
  readonly protocol: ValidatedHttp["protocol"] | null;
  readonly transport: ValidatedHttp["transport"] | null;
  readonly timeoutMs: number | null;
  readonly proxy: string | null;
  readonly hosts: ValidatedHttp["hosts"];
  readonly unixSocket: string | null;
  /** PEM, or the path of a file that holds it. */
  readonly ca: string | null;
  readonly discardBodies: boolean;
}

/** Reads what is said of requests and adds a sentence to `problems` for each option that cannot be used. */
export function readHttpFlags(written: WrittenHttp, problems: string[]): HttpFlags {
  const { insecure = false, discardBodies = false, proxy, resolve = [], unixSocket, ca } = written;
  if (proxy !== undefined && unixSocket !== undefined) {
    problems.push("--proxy, --unix-socket: cannot be combined. Remove one of them.");
  }
  if (unixSocket !== undefined && resolve.length > 0) {
    problems.push(
      "--resolve, --unix-socket: cannot be combined: connections to a socket look up no host. Remove one of them.",
    );
  }
  // Not shown where it is wrong: it may hold a password.
  const wrongProxy = proxy === undefined ? undefined : proxyProblem(proxy);
  if (wrongProxy !== undefined) problems.push(`--proxy: ${wrongProxy}.`);
  const wrongSocket = unixSocket === undefined ? undefined : socketPathProblem(unixSocket);
  if (wrongSocket !== undefined) problems.push(`--unix-socket: ${wrongSocket}.`);
  return {
    insecure,
    protocol: readChoice("--protocol", written.protocol, protocols, problems),
    transport: readChoice("--transport", written.transport, transports, problems),
    timeoutMs: readPositiveDuration("--timeout", written.timeout, problems),
    proxy: proxy ?? null,
    hosts: readHosts(resolve, problems),
    unixSocket: unixSocket ?? null,
    ca: ca ?? null,
    discardBodies,
  };
}

const protocols = ["auto", "http1", "http2", "h2c"] as const;
const transports = ["bearhug", "undici"] as const;

function readChoice<Name extends string>(
  option: string,
  text: string | undefined,
  names: readonly Name[],
  problems: string[],
): Name | null {
  if (text === undefined) return null;
  const name = names.find((known) => known === text);
  if (name !== undefined) return name;
  problems.push(
    `${option} ${text}: must be ${names.length === 2 ? names.join(" or ") : `one of ${names.join(", ")}`}.`,
  );
  return null;
}

function readHosts(texts: readonly string[], problems: string[]): Record<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const text of texts) {
    const [, host, address] = /^([^=]+)=(.*)$/.exec(text) ?? [];
    if (host === undefined || address === undefined) {
      problems.push(`--resolve ${text}: must be written HOST=ADDRESS.`);
      continue;
    }
    const wrong =
      named("the host", hostKeyProblem(host)) ?? named("the address", destinationProblem(address));
    if (wrong !== undefined) problems.push(`--resolve ${text}: ${wrong}.`);
    const name = hostKey(host);
    hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return Object.fromEntries(hosts);
}

function named(what: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${what} ${problem}`;
}
