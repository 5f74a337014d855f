/** The counts of a server since it started. */
export interface ServerCounts {
  readonly requests: number;
  /** Open connections, without the one that requests the counts; null if the server does not report them. */
  readonly openConnections: number | null;
}

/** Reads nginx's `stub_status`. Its request count includes the request for the status. */
export function readStubStatus(text: string): ServerCounts {
  const [, active] = /Active connections: (\d+)/.exec(text) ?? [];
  const [, requests] = /\n\s*\d+ \d+ (\d+)/.exec(text) ?? [];
  if (active === undefined || requests === undefined)
    throw new Error(`nginx's status is unreadable: ${text}`);
  return { requests: Number(requests), openConnections: Number(active) - 1 };
}

/** Returns Caddy's responses by status. */
export function readCaddyMetrics(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, labels = "", count] of text.matchAll(
    /^caddy_http_response_size_bytes_count\{(.*)\} (\S+)$/gm,
  )) {
    const status = /code="(\d+)"/.exec(labels)?.[1] ?? "unknown";
    counts.set(status, (counts.get(status) ?? 0) + Number(count));
  }
  return counts;
}
