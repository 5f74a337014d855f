import type { IncomingHttpHeaders } from "node:http";
import type { Reply } from "./reply.ts";

/** A request in the form that routes receive. */
export interface DemoRequest {
  /** Values of the `:name` segments of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborts when the client disconnects or the site closes. */
  readonly signal: AbortSignal;
}

/** One address of the site. The home page is made from these, so `about` is written for visitors. */
export interface Route {
  /** GET also handles HEAD. */
  readonly method: "GET" | "POST";
  /** Whole segments may be parameters: `/products/:id`. */
  readonly path: string;
  /** Describes the address to visitors; an empty text keeps it off the home page. */
  readonly about: string;
  readonly respond: (request: DemoRequest) => Reply | Promise<Reply>;
}

/** A route for GET, and so for HEAD. `about` describes it to visitors. */
export function get(path: string, about: string, respond: Route["respond"]): Route {
  return { method: "GET", path, about, respond };
}

export function post(path: string, about: string, respond: Route["respond"]): Route {
  return { method: "POST", path, about, respond };
}

/** Routes under one heading of the home page. */
export interface Section {
  readonly title: string;
  readonly routes: readonly Route[];
}
