import type { ExtractableResponse } from "../../src/index.ts";

/** The properties of a response that a test sets. By default, it is an empty page. */
export interface WrittenResponse {
  readonly url?: string;
  /** True if `url` is the destination of a redirect. */
  readonly redirected?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns a response with these properties. */
export function responseOf({
  url = "https://shop.example/login?token=s3cret",
  redirected = false,
  status = 200,
  headers = {},
  body = "",
}: WrittenResponse): ExtractableResponse {
  const entries = Object.entries(headers);
  const named = (name: string): string[] =>
    entries.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return {
    url,
    redirected,
    status,
    error: null,
    headers: { get: (name) => named(name)[0] ?? null, getAll: named, entries: () => entries },
    text: () => body,
    json: () => JSON.parse(body) as never,
  };
}

/** Returns a response whose body is this value as JSON. */
export function jsonOf(value: unknown): ExtractableResponse {
  return responseOf({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
}
