import { readFileSync } from "node:fs";

import * as z from "zod";

const field = z.object({ name: z.string(), value: z.string() });
const har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({
          url: z.string(),
          cookies: z.array(field),
          headers: z.array(field),
          postData: z.object({ params: z.array(field) }).optional(),
        }),
      }),
    ),
  }),
});

/**
 * The values in a recorded visit of the demo site that are valid for that visit only, distinct, in recorded
 * order.
 */
export type RecordedTokens = Readonly<Record<TokenKind, readonly string[]>>;

type TokenKind =
  | "cookies"
  /** The tokens of the forms to log in, to review and to log out. */
  | "csrf"
  | "formIds"
  | "scriptTokens"
  | "reviewNumbers"
  /** Values that the page's script made: request ids and a timestamp. */
  | "fresh";

export function readTokens(harPath: string): RecordedTokens {
  const { entries } = har.parse(JSON.parse(readFileSync(harPath, "utf8"))).log;
  const requests = entries.map(({ request }) => request);
  const named = (name: string): string[] =>
    requests.flatMap(({ headers, postData }) =>
      [...headers, ...(postData?.params ?? [])]
        .filter((pair) => pair.name === name)
        .map(({ value }) => value),
    );
  const inUrls = (pattern: RegExp): string[] =>
    requests.flatMap(({ url }) => [...url.matchAll(pattern)].map(([, found = ""]) => found));
  return {
    cookies: distinct(requests.flatMap(({ cookies }) => cookies.map(({ value }) => value))),
    csrf: distinct(named("csrf")),
    formIds: distinct(named("form_id")),
    scriptTokens: distinct(named("x-csrf-token")),
    reviewNumbers: distinct(inUrls(/\/reviews\/([\w-]{40,})/g)),
    fresh: distinct([...named("x-request-id"), ...inUrls(/[?&]_=(\d+)/g)]),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
