import type { RequestOptions } from "@bearhug/sdk";

/** Names and values in turn, as they are written; what a request gives replaces the defaults. */
export function requestHeaders(
  defaults: readonly string[],
  { headers = {}, auth }: RequestOptions,
  contentType: string | null,
): string[] {
  const written: string[] = [];
  const given = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    given.add(name.toLowerCase());
    for (const one of typeof value === "string" ? [value] : value) written.push(name, one);
  }
  if (contentType !== null && !given.has("content-type")) written.push("content-type", contentType);
  if (auth !== undefined && !given.has("authorization")) written.push("authorization", authorization(auth));
  for (let position = 0; position + 1 < defaults.length; position += 2) {
    const name = defaults[position] ?? "";
    if (!given.has(name.toLowerCase())) written.push(name, defaults[position + 1] ?? "");
  }
  return written;
}

/** Header names that must not follow a redirect to another origin. */
const credentials = new Set(["authorization", "proxy-authorization", "cookie"]);

/** The headers without credentials and, when the body is dropped, without those that describe it. */
export function headersForRedirect(
  headers: Readonly<Record<string, string | readonly string[]>>,
  { isCrossOrigin, keepsBody }: { readonly isCrossOrigin: boolean; readonly keepsBody: boolean },
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      const lower = name.toLowerCase();
      if (isCrossOrigin && (credentials.has(lower) || lower === "host")) return false;
      return keepsBody || !lower.startsWith("content-");
    }),
  );
}

function authorization(auth: NonNullable<RequestOptions["auth"]>): string {
  if ("bearer" in auth) return `Bearer ${auth.bearer}`;
  return `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString("base64")}`;
}
