import type { Played, TestRequest } from "./run-source.ts";

/** The parts of a request on the wire that the test determines. */
export interface SentBytes {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Returns what the client sends for a test's request. Written independently of the client, so that its faults are found. */
export function sentBytes(
  { method, url, options }: TestRequest,
  { baseUrl, http }: Played["definition"],
  boundary: string,
): SentBytes {
  const address = new URL(url, baseUrl);
  const { params, json, form, multipart, body, headers } = options;
  const query = params === undefined ? "" : encoded(params);
  const search = [address.search.slice(1), query].filter((part) => part !== "").join("&");
  const sent = [
    json === undefined ? null : JSON.stringify(json),
    form === undefined ? null : encoded(form),
    multipart === undefined ? null : inParts(multipart, boundary),
    typeof body === "string" ? body : null,
    body instanceof Uint8Array ? new TextDecoder().decode(body) : null,
  ].find((text) => text !== null);
  return {
    method,
    url: `${address.origin}${address.pathname}${search === "" ? "" : `?${search}`}`,
    body: sent ?? null,
    headers: headersOf(http?.headers ?? {}, headers ?? {}, [json, form, multipart]),
  };
}

function pairsOf(fields: unknown): [string, unknown][] {
  if (Array.isArray(fields))
    return fields.map((pair: unknown): [string, unknown] => {
      const [name, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
      return [String(name), value];
    });
  return Object.entries(fields ?? {}).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown): [string, unknown] => [name, one]),
  );
}

function encoded(fields: unknown): string {
  return new URLSearchParams(
    pairsOf(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

function inParts(parts: unknown, boundary: string): string {
  const pieces = pairsOf(parts).map(([name, value]) => {
    const part =
      typeof value === "string"
        ? new Map([["content", value.replace(/\r\n|\r|\n/g, "\r\n")]])
        : new Map(pairsOf(value).map(([key, one]) => [key, String(one)]));
    const content = part.get("content") ?? "";
    const [filename, contentType] = [part.get("filename"), part.get("type")];
    const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
    const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}${type}\r\n\r\n${content}\r\n`;
  });
  return `${pieces.join("")}--${boundary}--\r\n`;
}

function quoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function headersOf(defaults: unknown, own: unknown, [json, form]: readonly unknown[]): Map<string, string> {
  const implied =
    json !== undefined ? "application/json" : form !== undefined ? "application/x-www-form-urlencoded" : null;
  const headers = new Map<string, string>(implied === null ? [] : [["content-type", implied]]);
  for (const source of [defaults, own]) {
    const replaced = new Map<string, string>();
    for (const [name, value] of pairsOf(source)) {
      const lower = name.toLowerCase();
      const before = replaced.get(lower);
      replaced.set(lower, before === undefined ? String(value) : `${before}, ${String(value)}`);
    }
    for (const [name, value] of replaced) headers.set(name, value);
  }
  return headers;
}
