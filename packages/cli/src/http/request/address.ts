import type { RequestOptions } from "@bearhug/sdk";

import { describe } from "./plain-value.ts";
import { encodeFields } from "./request-body.ts";
import { RequestFault } from "./request-fault.ts";

/** The text of an address that a test gives. @throws {RequestFault} for what is neither a text nor a `URL` */
export function addressOf(url: unknown): string {
  if (typeof url === "string") return url;
  if (typeof url === "object" && url !== null && "href" in url && typeof url.href === "string")
    return url.href;
  throw new RequestFault("INVALID_URL", `A URL must be a string or a URL object, but is ${describe(url)}.`);
}

/**
 * An address with `params` behind what it has of a query. `isRaw`: a # is sent like any other character.
 */
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
