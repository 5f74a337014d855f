import type { Scope } from "../../metrics/scope.ts";

/** Where samples of a request go. */
export interface SamplePlace {
  /** The tags in force. */
  readonly scope: Scope;
  /** The page that counts the request's bytes. */
  readonly page: PageVisit | null;
}

/** One visit to a page. */
export interface PageVisit {
  bytesReceived: number;
}
