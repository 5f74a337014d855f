import type { Answer } from "./extractor.ts";

/** Name and value of a parameter, decoded. */
export type Parameter = readonly [name: string, value: string];

/** The parameters of the address that answered, then of its `location`. */
export function addressParameters(answer: Answer): Parameter[] {
  return [...parametersOf(answer.url), ...parametersOf(answer.header("location") ?? "")];
}

/** Returns the parameters in the query of an address, then those in its fragment. The address may be relative. */
function parametersOf(address: string): Parameter[] {
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

/** Headers by which a server lets a page's script redirect: those of Next.js, htmx and Remix. */
export const scriptRedirects: readonly string[] = ["x-action-redirect", "hx-redirect", "x-remix-redirect"];

/** The way in which Next.js wants the history to be kept: `/notes/1;push`. */
const wayOfNext = /;(?:push|replace)$/;

/**
 * The address that an answer leads to: one for a page's script, its `location`, or where redirects led; null where nothing
 * redirected.
 */
export function redirectedAddress(answer: Answer): string | null {
  const named = [...scriptRedirects, "location"].map((name) => answer.header(name));
  const address = named.find((value) => value !== null) ?? addressInJson(answer);
  return address?.replace(wayOfNext, "") ?? (answer.redirected ? answer.url : null);
}

/** The address in a redirect of SvelteKit's forms: `{"type":"redirect","location":"/notes/1"}`. */
function addressInJson(answer: Answer): string | null {
  if (!/\bjson\b/i.test(answer.header("content-type") ?? "")) return null;
  try {
    return redirectInJson(answer.json());
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The address in JSON that redirects; null in all other. */
export function redirectInJson(document: unknown): string | null {
  if (typeof document !== "object" || document === null) return null;
  if (!("type" in document) || document.type !== "redirect" || !("location" in document)) return null;
  return typeof document.location === "string" ? document.location : null;
}

/** The segments of an address's path; decoded, none is empty. */
export function addressSegments(written: string): string[] {
  const [address = ""] = written.split(/[?#]/, 1);
  const path = address.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/\\]*/i, "");
  return pathSegments(path);
}

/** `;jsessionid=0A1B`: a parameter of a segment, such as the session that Java servers write behind an id. */
const segmentParameter = /;[A-Za-z][\w.-]*=[^;]*/g;

/** The segments of a path without their parameters; decoded, none is empty. */
export function pathSegments(path: string): string[] {
  return path
    .split("/")
    .map((segment) => decode(segment.replace(segmentParameter, "")))
    .filter(Boolean);
}

/** The nth segment, from 1; from the end where it is negative. null where the path has not as many. */
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
