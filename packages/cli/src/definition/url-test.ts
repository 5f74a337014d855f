import { defineTest, type Test } from "@bearhug/sdk";

import type { UrlRequest } from "../protocol/definition-source.ts";

/** `bearhug <url>`: every iteration is the one request. How often is for the command line to say. */
export function urlTest({ method, url, headers, body }: UrlRequest): Test {
  // Left out where there are none: options are read anew for each request.
  const options = {
    ...(headers.length === 0 ? {} : { headers: headerRecord(headers) }),
    ...(body === null ? {} : { body }),
  };
  const given = Object.keys(options).length === 0 ? undefined : options;
  return defineTest({
    name: `${method} ${url}`,
    baseUrl: new URL(url).origin,
    http: {
      // What the address itself answers is measured: a redirect is an answer.
      redirects: 0,
      // Nobody reads them.
      discardBodies: true,
      cookies: "off",
    },
    scenarios: {
      requests: {
        executor: "constant-vus",
        vus: 10,
        duration: "10s",
        exec: ({ http }) => http.request(method, url, given),
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
