import type { CaptureEntry } from "../capture.ts";
import { type ResourceType, resourceTypeOf, resourceTypes } from "./resource-type.ts";

/** A parsed option, or the problem with it in words that follow the option: "must begin with /". */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** A selection of requests: by address, by file, or by resource type. */
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

/** Parses a selection of requests. `*` stands for any characters, slashes included. */
export function parsePattern(text: string): Parsed<Pattern> {
  if (text.startsWith("type:")) return parseType(text);
  if (/^(https?|\*):\/\/[^\s/?#]/i.test(text))
    return { value: { text, kind: "url", glob: addressGlob(text) } };
  if (/^(\/|\*[^\s/?#]*\/)/.test(text)) return { value: { text, kind: "path", glob: text } };
  if (text === "" || /[\s/?#]/.test(text))
    return { problem: "must be a path (/api/*), a URL (https://host/*), a file (*.png) or type:image" };
  return { value: { text, kind: "file", glob: text } };
}

/** Converts scheme and host to lower case, as in URLs; a pattern without a path matches everything there. */
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

/** Returns true if a request matches. Addresses match as they are sent, and as people read them (`/café`). */
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

/** A selection of hosts: `api.partner.com`, `api.partner.com:8443`, `*.cdn.net`, `*`. */
export interface HostPattern {
  /** As written. */
  readonly text: string;
  /** In lower case and ASCII, as in a URL; "" stands for every host. */
  readonly hostname: string;
  /** True for all subdomains, without the host itself. */
  readonly isWildcard: boolean;
  /** null for every port. */
  readonly port: string | null;
}

/** Parses a selection of hosts: one name, all below one (`*.`), or all (`*`), each perhaps with a port. */
export function parseHostPattern(text: string): Parsed<HostPattern> {
  if (text === "*") return { value: { text, hostname: "", isWildcard: true, port: null } };
  const isWildcard = text.startsWith("*.");
  const name = isWildcard ? text.slice(2) : text;
  const url = /^[^\s/?#@*\\%]+$/.test(name) ? URL.parse(`http://${name}/`) : null;
  if (url === null)
    return { problem: "must be a host such as api.partner.com, api.partner.com:8443 or *.cdn.net" };
  const port = /:\d+$/.test(name) ? portOf(name) : null;
  return { value: { text, hostname: url.hostname, isWildcard, port } };
}

function portOf(name: string): string {
  return String(Number(name.slice(name.lastIndexOf(":") + 1)));
}

/** Returns true if the URL's host matches. */
export function matchesHost({ hostname, isWildcard, port }: HostPattern, url: URL): boolean {
  if (port !== null && port !== (url.port || defaultPort(url))) return false;
  if (!isWildcard) return url.hostname === hostname;
  return hostname === "" || url.hostname.endsWith(`.${hostname}`);
}

function defaultPort({ protocol }: URL): string {
  return protocol === "https:" ? "443" : "80";
}

/**
 * Returns true if a text matches a pattern in which `*` stands for any characters. Takes linear time: each piece between
 * stars is searched once, from the end of the one before it.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
