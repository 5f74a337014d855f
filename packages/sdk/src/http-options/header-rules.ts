/** Written for each request and connection, by rules of the protocol. */
const ownHeaders = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that come once, or mean nothing. */
const singular = new Set(["host", "content-length", "content-type"]);

/** Headers that say how a connection is used, which is not for one request to decide. */
const refused: ReadonlyMap<string, string> = new Map([
  ["transfer-encoding", "bearhug sets it: a body that is a stream is sent in chunks."],
  ["upgrade", "changing the protocol (WebSocket) is not supported yet."],
  ["http2-settings", "changing the protocol is not supported; with TLS, HTTP/2 is negotiated."],
  ["expect", "bodies are sent at once, without waiting for 100 Continue."],
]);

/** What is wrong with the name of a header of every request; undefined where it is fine. */
export function headerNameProblem(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (ownHeaders.has(lower)) return "is a header that bearhug sets itself: leave it out";
  const reason = refused.get(lower);
  if (reason !== undefined) return `: ${reason}`;
  return /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name)
    ? undefined
    : "is not a valid header name: use letters, digits and ! # $ % & ' * + - . ^ _ ` | ~";
}

/** What is wrong with the value of a header; undefined where it is fine. Shows nothing of it: it may be a token. */
export function headerValueProblem(value: string): string | undefined {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    return "must not contain control characters or characters beyond Latin-1: encode them";
  }
  return value.trim() === value ? undefined : "must not begin or end with a space";
}

/** Why a header is not for one request to give, by its name in lower case; undefined where it is. */
export function headerRefusal(name: string, value: string): string | undefined {
  return refused.get(name) ?? (name === "connection" ? againstConnection(value) : undefined);
}

/** Whether a header, by its name in lower case, may be given once only. */
export function isSingularHeader(name: string): boolean {
  return singular.has(name);
}

function againstConnection(value: string): string | undefined {
  const wanted = value.split(",").map((option) => option.trim().toLowerCase());
  if (wanted.includes("upgrade")) return refused.get("upgrade");
  const isKnown = wanted.every((option) => option === "close" || option === "keep-alive");
  return isKnown ? undefined : "may be close or keep-alive.";
}
