import type { TextKind } from "@bearhug/text/secrets/find-named-secrets";

/** Returns the kind of a body, by its content-type. */
export function bodyKind(contentType: string): TextKind {
  if (/javascript|ecmascript|typescript|text\/css/i.test(contentType)) return "script";
  return /html/i.test(contentType) ? "page" : "prose";
}

/** Returns the kind of a body with these headers. */
export function bodyKindOfHeaders(headers: readonly (readonly [name: string, value: string])[]): TextKind {
  return bodyKind(headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "");
}
