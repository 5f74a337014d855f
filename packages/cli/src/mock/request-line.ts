import { requestName } from "@bearhug/sdk/internal";
import { readQuery } from "./query-values.ts";

/** Method, path and query, as they are matched and counted. */
export interface RequestLine {
  /** `GET /path?query`. */
  readonly text: string;
  /** The name under which a load test groups it. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The names of the query's parameters in one text, the same whatever their order and values. */
  readonly queryNames: string;
  /** Parameters with their values, as `readQuery` gives them. */
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

/** Clients need not write a path as browsers do, and to a proxy they write the whole URL. */
export function askedLine(method: string, target: string): RequestLine {
  const url = URL.parse(target.startsWith("/") ? `http://mock${target}` : target);
  return requestLine(method, url ?? new URL("http://mock/"));
}
