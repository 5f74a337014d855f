import type { RequestOptions } from "@bearhug/sdk";

import { encodeFields } from "./request-body.ts";

/** An address with `params` behind what it has of a query. */
export function withParams(address: string, params: RequestOptions["params"]): string {
  if (params === undefined) return address;
  const query = encodeFields(params);
  if (query === "") return address;
  const [beforeHash = "", ...hash] = address.split("#");
  const joined = `${beforeHash}${beforeHash.includes("?") ? "&" : "?"}${query}`;
  return hash.length === 0 ? joined : `${joined}#${hash.join("#")}`;
}
