import { requestName } from "@bearhug/text/request-name";
import { readQuery } from "./query-values.ts";

/** Method, path and query of a request, for matching and counting. */
export interface RequestLine {
  /** `GET /path?query`. */
  readonly text: string;
  /** The name by which a load test groups the request. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The names of the query's parameters in one text, the same whatever their order and values. */
  readonly queryNames: string;
  /** Parameters with their values, as `readQuery` returns them. */
  readonly pairs: readonly string[];
}

export function requestLine(method: string, { pathname, search }: URL): RequestLine {
  const { names, pairs } = readQuery(search);
  return {
    text: `${method} ${pathname}${search}`,
    name: requestName(method, pathname),
    method,
    path: pathname,
    queryNames: JSON.stringify(names),
    pairs,
  };
}

/**
 * Parses the target of a request. Clients may normalize paths less than browsers do, and send the whole URL
 * to a proxy.
 */
export function readRequestLine(method: string, target: string): RequestLine {
  const url = URL.parse(target.startsWith("/") ? `http://mock${target}` : target);
  return requestLine(method, url ?? new URL("http://mock/"));
}
