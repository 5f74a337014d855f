import { RequestFault } from "./request-fault.ts";

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const control = /[^\t\x20-\x7e\x80-\u{10ffff}]/u;
const latin1 = /^[\0-\xff]*$/;

/** Headers that come once, or mean nothing. */
const singular = new Set(["host", "content-length", "content-type"]);

/** Headers that say how a connection is used, which is not for one request to decide. */
const refused: ReadonlyMap<string, string> = new Map([
  ["transfer-encoding", "is written for you: a body that is a stream goes in chunks."],
  ["upgrade", "a change of protocol is not there yet: WebSocket comes later."],
  ["http2-settings", "a change of protocol is not there yet; with TLS, HTTP/2 is negotiated."],
  ["expect", "bodies are sent at once, without waiting for leave."],
]);

/**
 * The value of a header that a test gives, if it can be written; adds its name to those `given`. What is wrong is said
 * without the value, which may be a secret.
 * @throws {RequestFault}
 */
export function checkHeader(name: string, value: unknown, given: Set<string>): string {
  if (!token.test(name)) {
    throw invalid(
      `headers: ${JSON.stringify(name)} is no name of a header: letters, digits and hyphens are.`,
    );
  }
  if (typeof value !== "string") throw invalid(`headers: ${name} must be a text, or a list of texts.`);
  if (control.test(value))
    throw invalid(`headers: ${name} has a line end or another control character in it.`);
  if (!latin1.test(value)) {
    throw invalid(
      `headers: ${name} has a character in it that headers cannot carry (beyond Latin-1): encode it, such as with encodeURIComponent.`,
    );
  }
  const lower = name.toLowerCase();
  const reason = refused.get(lower) ?? (lower === "connection" ? againstConnection(value) : undefined);
  if (reason !== undefined) throw invalid(`headers: ${name}: ${reason}`);
  if (singular.has(lower) && given.has(lower)) throw invalid(`headers: ${name} is given more than once.`);
  given.add(lower);
  return value;
}

function againstConnection(value: string): string | undefined {
  const wanted = value.split(",").map((option) => option.trim().toLowerCase());
  if (wanted.includes("upgrade")) return refused.get("upgrade");
  const isKnown = wanted.every((option) => option === "close" || option === "keep-alive");
  return isKnown ? undefined : "may be close or keep-alive.";
}

function invalid(sentence: string): RequestFault {
  return new RequestFault("INVALID_REQUEST", sentence);
}
