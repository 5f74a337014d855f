import type { IncomingHttpHeaders } from "node:http";
import type { Reply } from "./reply.ts";

/** What a route gets to see of a request. */
export interface DemoRequest {
  /** What `:name` segments of the route's path matched, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborts when the client goes away or the site closes. */
  readonly signal: AbortSignal;
}

/** One address of the site. The home page is made from these, so `about` is written for visitors. */
export interface Route {
  /** GET also answers HEAD. */
  readonly method: "GET" | "POST";
  /** Whole segments may be parameters: `/products/:id`. */
  readonly path: string;
  /** What a visitor finds there; an empty text keeps the address off the home page. */
  readonly about: string;
  readonly answer: (request: DemoRequest) => Reply | Promise<Reply>;
}

/** Routes under one heading of the home page. */
export interface Section {
  readonly title: string;
  readonly routes: readonly Route[];
}
