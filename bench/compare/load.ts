/** The servers that a load can request files from. */
export type Target = "plain" | "tls" | "h2" | "caddy";

/** The load that a tool applies. */
export interface Load {
  readonly target: Target;
  /** The path of the first file, below the target's address. */
  readonly path: string;
  /** Further files, requested together once the first has arrived; empty unless a page is loaded. */
  readonly assets: readonly string[];
  readonly protocol: "http1" | "h2";
  readonly connections: number;
  /** Requests in flight on one connection. */
  readonly streams: number;
  /** True if each request opens a new connection. */
  readonly isReconnecting: boolean;
}
