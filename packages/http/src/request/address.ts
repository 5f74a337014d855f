import type { RequestOptions } from "@bearhug/sdk";
import { describeValue } from "@bearhug/text/describe-value";

import { RequestFault } from "./request-fault.ts";
import { encodeFields } from "./request-body.ts";

/**
 * Returns the text of an address from a test.
 * @throws {RequestFault} if it is neither a string nor a `URL`
 */
export function addressOf(url: unknown): string {
  if (typeof url === "string") return url;
  if (typeof url === "object" && url !== null && "href" in url && typeof url.href === "string")
    return url.href;
  throw new RequestFault(
    "INVALID_URL",
    `A URL must be a string or a URL object, but is ${describeValue(url)}.`,
  );
}

/** Appends `params` to the query of an address. `isRaw`: a # is sent like any other character. */
export function withParams(address: string, params: RequestOptions["params"], isRaw = false): string {
  if (params === undefined) return address;
  const query = encodeFields(params);
  if (query === "") return address;
  if (isRaw) return `${address}${separatorAfter(address)}${query}`;
  const [beforeHash = "", ...hash] = address.split("#");
  const joined = `${beforeHash}${separatorAfter(beforeHash)}${query}`;
  return hash.length === 0 ? joined : `${joined}#${hash.join("#")}`;
}

function separatorAfter(address: string): "" | "?" | "&" {
  if (!address.includes("?")) return "?";
  return address.endsWith("?") || address.endsWith("&") ? "" : "&";
}

/** An address that is sent exactly as written. */
export interface RawAddress {
  /** Null if the address begins with its path. */
  readonly origin: string | null;
  /** Path and query, as written. */
  readonly path: string;
}

const withOrigin = /^(https?:\/\/[^/?#\\]*)(.*)$/is;

/**
 * Splits an address without normalizing it.
 * @throws {RequestFault} if it has no path, and for spaces and control characters: they would end the request
 * line, and the rest could be read as another request.
 */
export function readRawAddress(address: string): RawAddress {
  const [, origin = null, path = address] = withOrigin.exec(address) ?? [];
  if (!path.startsWith("/")) {
    throw new RequestFault(
      "INVALID_URL",
      "With rawPath, a URL must begin with /, http://host/ or https://host/: nothing is added to it.",
    );
  }
  const at = path.search(/[^\u0021-\u007e\u0080-\uffff]/);
  if (at < 0) return { origin, path };
  throw new RequestFault(
    "INVALID_URL",
    `With rawPath, spaces and control characters can't be sent, but character ${at + 1} of the path is one: write it as %${hexOf(path, at)}.`,
  );
}

function hexOf(text: string, at: number): string {
  return text.charCodeAt(at).toString(16).toUpperCase().padStart(2, "0");
}

/** Encodes a text in UTF-8, one character per byte. */
export function inBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/**
 * Matches paths and queries that a URL parser would not change: no dot segment, no character to encode, no
 * fragment, and no second slash at the beginning, after which a host would follow.
 */
const plain =
  /^\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@%-]*(?:\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@%-]*)?)*)?(?:\?[\w.~!$&()*+,;=:@%/?[\]|-]*)?$/;

/** Returns true if a path with its query can be sent without URL parsing. */
export function isPlainPath(path: string): boolean {
  return path.length <= longestKept && plain.test(path);
}

/** Longer addresses are unlikely to be requested twice. */
export const longestKept = 8192;
