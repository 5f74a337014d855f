import { resourceTypeOf } from "../select/resource-type.ts";
import type { Visit } from "../visit.ts";

const readOnly = new Set(["GET", "HEAD"]);

/**
 * Whether a script asked for data, or something was sent: what such a request says may come of any answer before it.
 * Everything else is a file that a page is made of.
 */
export function isCall({ entry, url }: Visit): boolean {
  return !readOnly.has(entry.request.method.toUpperCase()) || resourceTypeOf(entry, url) === "xhr";
}
