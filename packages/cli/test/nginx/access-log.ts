import { readFileSync } from "node:fs";

/** One request, as nginx logged it. */
export interface LogLine {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly status: string;
  /** Spelled like the tag `protocol`. */
  readonly protocol: string;
  /** The unique number of the connection. */
  readonly connection: string;
  /** The position among the requests of the connection, from 1. */
  readonly requestOfConnection: number;
  /** The size of the request line, headers and body. */
  readonly requestBytes: number;
  readonly bytesSent: number;
  /** True if the connection resumed a TLS session. */
  readonly isResumed: boolean;
  readonly cookie: string;
}

/** Reads a log after nginx has finished writing it. */
export function readAccessLog(path: string): LogLine[] {
  return readFileSync(path, "utf8").split("\n").filter(Boolean).map(parseLine);
}

function parseLine(line: string): LogLine {
  const { resumed, protocol, requestOfConnection, requestBytes, bytesSent, ...texts } = JSON.parse(
    line,
  ) as WrittenLine;
  return {
    ...texts,
    protocol: protocol === "HTTP/2.0" ? "HTTP/2" : protocol,
    requestOfConnection: Number(requestOfConnection),
    requestBytes: Number(requestBytes),
    bytesSent: Number(bytesSent),
    isResumed: resumed === "r",
  };
}

interface WrittenLine {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: string;
  readonly protocol: string;
  readonly connection: string;
  readonly requestOfConnection: string;
  readonly requestBytes: string;
  readonly bytesSent: string;
  readonly resumed: string;
  readonly cookie: string;
}

/** Returns how many requests each connection carried. */
export function requestsPerConnection(log: readonly LogLine[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const { connection } of log) counts.set(connection, (counts.get(connection) ?? 0) + 1);
  return [...counts.values()];
}
