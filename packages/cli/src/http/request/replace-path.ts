import type { ReplacedPath } from "../../protocol/variants.ts";

/**
 * Replaces the path in a path with query and fragment, where it is one that is to be replaced. The query stays, unless the
 * replacement or what it replaces has one.
 */
export function replacePath(rest: string, replaced: readonly ReplacedPath[]): string {
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(rest) ?? [];
  for (const { from, to } of replaced) {
    if (from === null || from === path + query) return to;
    if (from === path) return to.includes("?") ? to : to + query;
  }
  return rest;
}
