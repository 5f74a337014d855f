import { defaultMaxVUs } from "@bearhug/plan/executors/open-model";
import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import { readCount } from "@bearhug/plan/test-file/quantities";

/** The flags of `bearhug <url>` about concurrent requests and connections, unparsed. */
export interface ConnectionFlags {
  readonly connections?: string;
  readonly maxActiveRequests?: string;
  readonly maxConcurrentStreams?: string;
  readonly noKeepAlive: boolean;
  readonly protocol?: string;
  readonly rate?: string;
}

/** The virtual users, each of which has one request in flight, and the connections that they share. */
export interface BenchConnections {
  /** Null: as many as the rate needs. */
  readonly vus: number | null;
  /** Null: each virtual user has its own connection. */
  readonly sharedConnections: number | null;
}

const defaultConnections = 10;

/** Reads the number of concurrent requests and of connections. */
export function readConnections(
  flags: ConnectionFlags,
  requests: readonly UrlRequest[],
  problems: string[],
): BenchConnections {
  const given = readCount("-c", flags.connections, 1, problems);
  const active = readCount("--max-active-requests", flags.maxActiveRequests, 1, problems);
  // The problems are dropped: reading the HTTP options reports them.
  const streams = readCount("--max-concurrent-streams", flags.maxConcurrentStreams, 1, []);
  problems.push(...findConflicts({ given, active, streams }, flags, requests));
  const connections = given ?? (flags.rate === undefined && active === null ? defaultConnections : null);
  if (streams === null) {
    return { vus: active ?? connections, sharedConnections: active === null ? null : given };
  }
  const vus = active ?? (connections === null ? null : connections * streams);
  return { vus, sharedConnections: connections ?? Math.ceil((vus ?? defaultMaxVUs) / streams) };
}

interface Counts {
  readonly given: number | null;
  readonly active: number | null;
  readonly streams: number | null;
}

/** Returns a sentence for each flag that has no effect, or no meaning, in combination with another. */
function findConflicts(
  { given, active, streams }: Counts,
  { noKeepAlive, protocol = "auto" }: ConnectionFlags,
  requests: readonly UrlRequest[],
): string[] {
  const problems: string[] = [];
  if (given !== null && active !== null && given > active) {
    problems.push(
      `-c ${given}: --max-active-requests ${active} can use at most ${active} ${active === 1 ? "connection" : "connections"}. Lower -c, or leave it out.`,
    );
  }
  if (noKeepAlive && given !== null && active !== null) {
    problems.push(
      "-c, --max-active-requests: with --no-keep-alive each request opens its own connection, so these two set the same limit. Give one.",
    );
  }
  if (noKeepAlive && streams !== null) {
    problems.push(
      "--max-concurrent-streams, --no-keep-alive: cannot be combined: each request has a connection of its own. Remove one of them.",
    );
  }
  if (streams !== null && protocol === "auto" && requests.every(({ url }) => url.startsWith("http:"))) {
    problems.push(
      "--max-concurrent-streams: is only for HTTP/2, and http:// URLs are requested over HTTP/1.1. Use https://, or add --protocol h2c.",
    );
  }
  return problems;
}
