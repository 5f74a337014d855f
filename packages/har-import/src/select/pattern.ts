import type { CaptureEntry } from "../capture.ts";
import { matchesGlob } from "./glob.ts";
import type { Parsed } from "./parsed.ts";
import { resourceTypeOf, resourceTypes, type ResourceType } from "./resource-type.ts";

/** Requests that a person means: by address, by file, or by what the browser asked for. */
export type Pattern = {
  /** As written. */
  readonly text: string;
} & (
  | { readonly kind: "type"; readonly type: ResourceType }
  /** `https://host/*`: the whole address. */
  | { readonly kind: "url"; readonly glob: string }
  /** `/api/*`: the path, from its first slash or star; with a `?`, the query too. */
  | { readonly kind: "path"; readonly glob: string }
  /** `*.png`: the last segment of the path. */
  | { readonly kind: "file"; readonly glob: string }
);

/** Reads which requests are meant. `*` stands for any characters, slashes included. */
export function parsePattern(text: string): Parsed<Pattern> {
  if (text.startsWith("type:")) return parseType(text);
  if (/^(https?|\*):\/\/[^\s/?#]/i.test(text))
    return { value: { text, kind: "url", glob: addressGlob(text) } };
  if (/^(\/|\*[^\s/?#]*\/)/.test(text)) return { value: { text, kind: "path", glob: text } };
  if (text === "" || /[\s/?#]/.test(text))
    return { problem: "must be a path (/api/*), a URL (https://host/*), a file (*.png) or type:image" };
  return { value: { text, kind: "file", glob: text } };
}

/** Scheme and host in lower case, as URLs have them; without a path, everything there is meant. */
function addressGlob(text: string): string {
  const [origin = ""] = /^[^/]+:\/\/[^/]+/.exec(text) ?? [];
  return `${origin.toLowerCase()}${text.slice(origin.length) || "/*"}`;
}

function parseType(text: string): Parsed<Pattern> {
  const written = text.slice("type:".length);
  const name = written === "fetch" ? "xhr" : written;
  const type = resourceTypes.find((known) => known === name);
  if (type === undefined) return { problem: `must be one of type:${[...resourceTypes, "fetch"].join(", ")}` };
  return { value: { text, kind: "type", type } };
}

/** Whether a request is meant. Addresses match as they are sent, and as people read them (`/café`). */
export function matchesPattern(pattern: Pattern, entry: CaptureEntry, url: URL): boolean {
  if (pattern.kind === "type") return resourceTypeOf(entry, url) === pattern.type;
  const { glob } = pattern;
  const search = glob.includes("?") ? url.search : "";
  const path = url.pathname + search;
  const subject = { url: url.origin + path, path, file: path.slice(path.lastIndexOf("/") + 1) }[pattern.kind];
  return matchesGlob(glob, subject) || matchesGlob(glob, decoded(subject));
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
