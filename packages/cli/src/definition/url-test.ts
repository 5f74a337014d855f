import { defineTest, type Test } from "@bearhug/sdk";

import type { UrlRequest } from "../protocol/definition-source.ts";

/** `bearhug <url>`: every iteration is the one request. How often is for the command line to say. */
export function urlTest({ method, url, headers, body }: UrlRequest): Test {
  const options = {
    headers: headerRecord(headers),
    // What the address itself answers is measured: a redirect is an answer.
    redirects: 0,
    ...(body === null ? {} : { body }),
  };
  return defineTest({
    name: `${method} ${url}`,
    baseUrl: new URL(url).origin,
    // Nobody reads them.
    http: { discardBodies: true, cookies: "off" },
    scenarios: {
      requests: {
        executor: "constant-vus",
        vus: 10,
        duration: "10s",
        exec: ({ http }) => http.request(method, url, options),
      },
    },
  });
}

/** Headers as a request's options take them; a name given several times is sent several times. */
export function headerRecord(
  headers: readonly (readonly [name: string, value: string])[],
): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}
