import { z, once } from "@bearhug/sdk/internal";
import { oneOrMore, checkedText } from "../validation/option-schemas.ts";

/** Headers that bearhug sets for each request and connection, by the rules of the protocol. */
const ownHeaders = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that are invalid if they are repeated. */
const singular = new Set(["host", "content-length", "content-type"]);

/** Headers that control the connection, which a single request can't do; with the reason. */
const refused: ReadonlyMap<string, string> = new Map([
  ["transfer-encoding", "bearhug sets it: a body that is a stream is sent in chunks."],
  ["upgrade", "changing the protocol (WebSocket) is not supported yet."],
  ["http2-settings", "changing the protocol is not supported; with TLS, HTTP/2 is negotiated."],
  ["expect", "bodies are sent at once, without waiting for 100 Continue."],
]);

/** Returns the problem with a header's name in `http.headers`; undefined for a valid one. */
function headerNameProblem(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (ownHeaders.has(lower)) return "is a header that bearhug sets itself: leave it out";
  const reason = refused.get(lower);
  if (reason !== undefined) return `: ${reason}`;
  return /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name)
    ? undefined
    : "is not a valid header name: use letters, digits and ! # $ % & ' * + - . ^ _ ` | ~";
}

/** Returns the problem with the value of a header; undefined for a valid one. It does not show the value, which may be a token. */
function headerValueProblem(value: string): string | undefined {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    return "must not contain control characters or characters beyond Latin-1: encode them";
  }
  return value.trim() === value ? undefined : "must not begin or end with a space";
}

/** Returns the reason why a request can't set a header, whose name is in lower case; undefined if it can. */
export function requestHeaderProblem(name: string, value: string): string | undefined {
  return refused.get(name) ?? (name === "connection" ? connectionHeaderProblem(value) : undefined);
}

/** Returns true for a header that may be given only once. The name is in lower case. */
export function isSingularHeader(name: string): boolean {
  return singular.has(name);
}

function connectionHeaderProblem(value: string): string | undefined {
  const wanted = value.split(",").map((option) => option.trim().toLowerCase());
  if (wanted.includes("upgrade")) return refused.get("upgrade");
  const isKnown = wanted.every((option) => option === "close" || option === "keep-alive");
  return isKnown ? undefined : "may be close or keep-alive.";
}

/** Reads headers as a list in which names and values alternate. */
export const headersSchema: () => z.ZodType<readonly string[]> = once(() =>
  z
    .preprocess(
      headerRecord,
      z.record(checkedText(headerNameProblem), oneOrMore(checkedText(headerValueProblem))),
    )
    .transform((record) =>
      Object.entries(record).flatMap(([name, values]) => values.flatMap((value) => [name, value])),
    ),
);

/** Leaves out invalid headers, so that the others are still checked. */
export function usableHeaders(value: unknown): unknown {
  const record = headerRecord(value);
  if (typeof record !== "object" || record === null) return record;
  const all: [name: string, value: unknown][] = Object.entries(record);
  return Object.fromEntries(
    all.filter(([name, given]) => headersSchema().safeParse({ [name]: given }).success),
  );
}

/**
 * Converts pairs (a `Headers`, a `Map`, an array of pairs) to an object; returns any other value as it is.
 */
function headerRecord(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) return value;
  const pairs = z.array(z.tuple([z.string(), z.unknown()])).safeParse([...(value as Iterable<unknown>)]);
  if (!pairs.success) return value;
  const values = new Map<string, unknown[]>();
  for (const [name, one] of pairs.data) values.set(name, [...(values.get(name) ?? []), one]);
  return Object.fromEntries(values);
}
