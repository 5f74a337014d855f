import type { ExtractableResponse } from "../../src/index.ts";

/** What a test says about a response; the rest is an empty page. */
export interface WrittenResponse {
  readonly url?: string;
  /** True if `url` is where a redirect led to. */
  readonly redirected?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response that arrived, with this body. */
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

/** A response whose body is this value as JSON. */
export function jsonOf(value: unknown): ExtractableResponse {
  return responseOf({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
}
