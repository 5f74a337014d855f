import type { ExtractionSource } from "./extractor.ts";

/** Name and value of a parameter, decoded. */
export type Parameter = readonly [name: string, value: string];

/** Returns the parameters of the response's URL, then those of its `location` header. */
export function addressParameters(answer: ExtractionSource): Parameter[] {
  return [...parametersOf(answer.url), ...parametersOf(answer.header("location") ?? "")];
}

/** Returns the parameters in the query of an address, then those in its fragment. The address may be relative. */
export function parametersOf(address: string): Parameter[] {
  const hash = address.indexOf("#");
  const beforeHash = hash < 0 ? address : address.slice(0, hash);
  const fragment = hash < 0 ? "" : address.slice(hash + 1);
  const query = beforeHash.indexOf("?");
  // Single-page applications write their routes into the fragment: #/callback?code=…
  const inFragment = fragment.slice(fragment.indexOf("?") + 1);
  return [...parsePairs(query < 0 ? "" : beforeHash.slice(query + 1)), ...parsePairs(inFragment)];
}

function parsePairs(text: string): Parameter[] {
  if (text === "") return [];
  return text.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    return equals < 0
      ? [decodePlus(pair), ""]
      : [decodePlus(pair.slice(0, equals)), decodePlus(pair.slice(equals + 1))];
  });
}

function decodePlus(text: string): string {
  return decode(text.replaceAll("+", " "));
}

/** Headers that make a page's script redirect: those of Next.js, htmx and Remix. */
export const scriptRedirects: readonly string[] = ["x-action-redirect", "hx-redirect", "x-remix-redirect"];

/** The kind of history entry that Next.js appends to the address: `/notes/1;push`. */
const nextHistorySuffix = /;(?:push|replace)$/;

/**
 * Returns the address that a response redirects to: from a header for a page's script, from `location` or
 * from SvelteKit's JSON; otherwise the URL that followed redirects led to. Null if nothing redirected.
 */
export function redirectedAddress(answer: ExtractionSource): string | null {
  const named = [...scriptRedirects, "location"].map((name) => answer.header(name));
  const address = named.find((value) => value !== null) ?? addressInJson(answer);
  return address?.replace(nextHistorySuffix, "") ?? (answer.redirected ? answer.url : null);
}

/** Returns the address in a redirect of SvelteKit's forms: `{"type":"redirect","location":"/notes/1"}`. */
function addressInJson(answer: ExtractionSource): string | null {
  if (!/\bjson\b/i.test(answer.header("content-type") ?? "")) return null;
  try {
    return redirectInJson(answer.json());
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Returns the address in a JSON document that is a redirect; null for any other document. */
export function redirectInJson(document: unknown): string | null {
  if (typeof document !== "object" || document === null) return null;
  if (!("type" in document) || document.type !== "redirect" || !("location" in document)) return null;
  return typeof document.location === "string" ? document.location : null;
}

/** Returns the decoded segments of an address's path, without empty ones. */
export function addressSegments(written: string): string[] {
  const [address = ""] = written.split(/[?#]/, 1);
  const path = address.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/\\]*/i, "");
  return pathSegments(path);
}

/** A parameter of a segment, such as the session id that Java servers append: `;jsessionid=0A1B`. */
const segmentParameter = /;[A-Za-z][\w.-]*=[^;]*/g;

/** Returns the decoded segments of a path without their parameters, and without empty ones. */
export function pathSegments(path: string): string[] {
  return path
    .split("/")
    .map((segment) => decode(segment.replace(segmentParameter, "")))
    .filter(Boolean);
}

/**
 * Returns the nth segment, counted from 1, or from the end if `nth` is negative; null if the path is too
 * short.
 */
export function segmentAt(segments: readonly string[], nth: number): string | null {
  return segments.at(nth < 0 ? nth : nth - 1) ?? null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
