/** The servers' ports and files, by which loads name what they request. */
export type Target = "plain" | "tls" | "h2" | "caddy";

/** What a tool is asked to do. */
export interface Load {
  readonly target: Target;
  /** Below the target's address. */
  readonly path: string;
  /** Further files that are requested together, once the first has come; empty unless a page is loaded. */
  readonly assets: readonly string[];
  readonly protocol: "http1" | "h2";
  readonly connections: number;
  /** Requests in flight on one connection. */
  readonly streams: number;
  /** Whether each request opens a connection of its own. */
  readonly isReconnecting: boolean;
}
