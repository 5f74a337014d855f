/** Values of a header in a list of names and values in turn. */
export function headerValues(headers: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let position = 0; position + 1 < headers.length; position += 2) {
    const known = headers[position] ?? "";
    if (known.length === name.length && known.toLowerCase() === name) {
      values.push((headers[position + 1] ?? "").trim());
    }
  }
  return values;
}

/** The directives of `cache-control`, names in lower case, values without quotes. The first of a name holds. */
export function cacheDirectives(headers: readonly string[]): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const value of headerValues(headers, "cache-control")) {
    for (const [directive] of value.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g)) {
      const equals = directive.indexOf("=");
      const name = (equals < 0 ? directive : directive.slice(0, equals)).trim().toLowerCase();
      const argument = equals < 0 ? "" : directive.slice(equals + 1).trim();
      if (!directives.has(name)) directives.set(name, argument.replace(/^"(.*)"$/, "$1"));
    }
  }
  return directives;
}

/** Longer than anybody waits, and what RFC 9111 asks for where a number is too large (1.2.2). */
const mostSeconds = 2 ** 31;

/** Null where it is no number of seconds. */
export function wholeSeconds(text: string): number | null {
  return /^\d+$/.test(text) ? Math.min(Number(text), mostSeconds) : null;
}

/** The three forms of RFC 9110 (5.6.7): `Sun, 06 Nov 1994 …`, `Sunday, 06-Nov-94 …`, `Sun Nov  6 08:49:37 1994`. */
const zoned = /^[a-z]{3,9}, \d{2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} (?:GMT|UTC)$/i;
const asctime = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;

/** Null where it is no date: `Date.parse` alone would take "0" for the year 2000. */
export function httpDateMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  const isZoned = zoned.test(text);
  if (!isZoned && !asctime.test(text)) return null;
  const dateMs = Date.parse(isZoned ? text : `${text} GMT`);
  return Number.isNaN(dateMs) ? null : dateMs;
}

/** Headers that speak of the message or the connection that brought them, not of what is stored (RFC 9111, 3.2). */
const notOfStored = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authentication-info",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "set-cookie",
  "content-length",
  "content-encoding",
  "content-range",
  "content-type",
  "content-md5",
]);

/** Headers of a stored response after a 304 that confirmed it. */
export function confirmedHeaders(stored: readonly string[], confirming: readonly string[]): string[] {
  const updates: string[] = [];
  const replaced = new Set<string>();
  for (let position = 0; position + 1 < confirming.length; position += 2) {
    const name = (confirming[position] ?? "").toLowerCase();
    if (notOfStored.has(name)) continue;
    replaced.add(name);
    updates.push(confirming[position] ?? "", confirming[position + 1] ?? "");
  }
  const headers: string[] = [];
  for (let position = 0; position + 1 < stored.length; position += 2) {
    const name = stored[position] ?? "";
    if (!replaced.has(name.toLowerCase())) headers.push(name, stored[position + 1] ?? "");
  }
  return [...headers, ...updates];
}
