import type { Scope } from "../../metrics/scope.ts";

/** Where samples of a request go. */
export interface SamplePlace {
  /** The tags in force. */
  readonly scope: Scope;
  /** The page that counts the request's bytes. */
  readonly page: PageVisit | null;
  /** The innermost page or group around the request. */
  readonly visit: Visit | null;
}

/** One visit to a page or a group. */
export interface Visit {
  /** The page or group around this one. */
  readonly outer: Visit | null;
  /** The hard stop ended a request in it that was never answered. */
  isCutOff: boolean;
}

/** One visit to a page. */
export interface PageVisit extends Visit {
  bytesReceived: number;
}
