import { writeJsonPath } from "@bearhug/sdk/internal";
import type { IsWanted, Tell } from "./sighting.ts";
import { isStableName } from "./stable-name.ts";

/** Deeper values are no form of anything that a page sends. */
const maxDepth = 100;

/** Texts and numbers of a JSON document that are wanted. */
export function findInJson(document: unknown, isWanted: IsWanted, tell: Tell): void {
  const path: (string | number)[] = [];
  const walk = (here: unknown, isOneOfMany: boolean): void => {
    if (typeof here === "string" || typeof here === "number") {
      const value = String(here);
      if (!isWanted(value) || !path.every((key) => typeof key === "number" || isStableName(key))) return;
      const keys = path.filter((key) => typeof key === "string");
      tell({
        value,
        from: { json: writeJsonPath(path) },
        name: keys.at(-1) ?? "",
        within: keys.at(-2) ?? "",
        isOneOfMany,
      });
      return;
    }
    if (typeof here !== "object" || here === null || path.length >= maxDepth) return;
    const isList = Array.isArray(here);
    const inside: Iterable<readonly [string | number, unknown]> = isList
      ? here.entries()
      : Object.entries(here);
    for (const [key, value] of inside) {
      path.push(key);
      walk(value, isOneOfMany || (isList && here.length > 1));
      path.pop();
    }
  };
  walk(document, false);
}
