/** Over plain http no client keeps a `Secure` cookie, except on this machine; one with such a name is kept no other way. */
const needsSecure = /^\s*__(?:Host|Secure)-/i;

/**
 * A recorded `set-cookie` for a server without the recorded host and TLS: it is this server's. An end that had passed when
 * it was recorded deletes the cookie, now as then; another would have passed since.
 */
export function serveCookie(line: string, recordedAtMs: number): string {
  const [pair = "", ...attributes] = line.split(";");
  const kept = attributes.filter((attribute) => {
    const [name = "", value = ""] = attribute.split("=", 2).map((text) => text.trim().toLowerCase());
    switch (name) {
      case "domain":
      case "partitioned":
        return false;
      case "secure":
        return needsSecure.test(pair);
      case "samesite":
        return value !== "none";
      case "expires":
        return isPast(attribute.slice(attribute.indexOf("=") + 1), recordedAtMs);
      default:
        return true;
    }
  });
  return [pair, ...kept].join(";");
}

function isPast(date: string, recordedAtMs: number): boolean {
  // With hyphens in old ones, which are no ISO dates.
  const atMs = Date.parse(
    date
      .trim()
      .replace(/^\w+,\s*/, "")
      .replace(/(\d)-([a-z]{3})-(\d)/i, "$1 $2 $3"),
  );
  return Number.isNaN(atMs) || atMs <= recordedAtMs;
}
