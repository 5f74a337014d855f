import { defineTest, type Http, type RequestOptions, type Test } from "@bearhug/sdk";
import { internedText } from "@bearhug/text/detached-text";
import { uncutRequestName } from "@bearhug/text/request-name";

import type { UrlRequest } from "../protocol/definition-source.ts";

/**
 * Returns the test of `bearhug <url>`: every iteration sends one request, chosen by weight if there are
 * several. The command line sets the load.
 */
export function urlTest(requests: readonly UrlRequest[]): Test {
  const [first] = requests;
  if (first === undefined) throw new TypeError("A test of URLs needs a URL.");
  const { origin } = new URL(first.url);
  const others = requests.map(({ url }) => new URL(url)).filter((url) => url.origin !== origin);
  return defineTest({
    name: nameOf(first, requests.length - 1),
    baseUrl: origin,
    allowHosts: [...new Set(others.map(({ host }) => host))],
    http: {
      // The response of the URL itself is measured, even if it is a redirect.
      redirects: 0,
      // No code reads the bodies.
      discardBodies: true,
      cookies: "off",
    },
    scenarios: {
      requests: { executor: "constant-vus", vus: 10, duration: "10s", exec: sendOneOf(requests) },
    },
  });
}

function nameOf({ method, url }: UrlRequest, others: number): string {
  return `${method} ${url}${others === 0 ? "" : ` and ${others} more`}`;
}

interface Sender {
  readonly http: Pick<Http, "request">;
  readonly random: () => number;
}

/**
 * Returns the code of an iteration. It prepares each request in advance, and leaves out options if there are none,
 * because they are read again for each request that has any.
 */
function sendOneOf(given: readonly UrlRequest[]): (sender: Sender) => unknown {
  const requests = given.map((request) => ({
    ...request,
    method: internedText(request.method),
    url: internedText(request.url),
  }));
  const [first, ...others] = requests;
  if (first === undefined) return () => undefined;
  if (others.length === 0) {
    const { method, url } = first;
    const options = optionsOf(first, null);
    return ({ http }) => http.request(method, url, options);
  }
  const names = namesOf(requests);
  let total = 0;
  const choices = requests.map((request, index) => {
    total += request.weight ?? 1;
    return { request, upTo: total, options: optionsOf(request, names[index] ?? null) };
  });
  return ({ http, random }) => {
    const choice = choices[indexAbove(choices, random() * total)];
    if (choice === undefined) return undefined;
    return http.request(choice.request.method, choice.request.url, choice.options);
  };
}

/**
 * Returns the index of the first choice that ends above a position, by bisection; of the last
 * choice if none does.
 */
function indexAbove(choices: readonly { readonly upTo: number }[], position: number): number {
  let low = 0;
  let high = choices.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((choices[middle]?.upTo ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the options of a request; undefined if it needs none. */
function optionsOf({ headers, body }: UrlRequest, name: string | null): RequestOptions | undefined {
  const options = {
    ...(headers.length === 0 ? {} : { headers: headerRecord(headers) }),
    ...(body === null ? {} : { body }),
    ...(name === null ? {} : { name }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

/**
 * Returns a name for each request that no other URL has: its method and path if these are unique, otherwise
 * its method and whole URL.
 */
function namesOf(requests: readonly UrlRequest[]): string[] {
  const urls = new Map<string, Set<string>>();
  for (const { method, url } of requests) {
    const name = uncutRequestName(method, url);
    urls.set(name, (urls.get(name) ?? new Set()).add(url));
  }
  return requests.map(({ method, url }) => {
    const name = uncutRequestName(method, url);
    return urls.get(name)?.size === 1 ? name : `${method} ${url}`;
  });
}

/** Returns headers in the form of a request's options; a name given several times is sent several times. */
export function headerRecord(
  headers: readonly (readonly [name: string, value: string])[],
): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}
