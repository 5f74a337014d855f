import { type HtmlValue, walkHtml } from "@bearhug/sdk/internal";
import type { IsWanted, Tell } from "./sighting.ts";
import { isStableName } from "./stable-name.ts";

/** More fields than any form has: a table of inputs, whose rows are choices. */
const maxFields = 5_000;

/** Many pieces of pages have none of these, and need not be taken apart. */
const anyField = /<(?:input|button|meta|textarea|select)/i;

/** Form fields and meta elements of an HTML document that are wanted. */
export function findInHtml(html: string, isWanted: IsWanted, tell: Tell): void {
  if (!anyField.test(html)) return;
  const found: (HtmlValue & { readonly nth: number })[] = [];
  const values = new Map<string, { count: number; readonly different: Set<string> }>();
  walkHtml(html, (one) => {
    const key = `${one.kind} ${one.name}`;
    const others = values.get(key) ?? { count: 0, different: new Set() };
    others.count++;
    others.different.add(one.value);
    values.set(key, others);
    if (isWanted(one.value) && isStableName(one.name)) found.push({ ...one, nth: others.count });
    return found.length >= maxFields;
  });
  for (const { kind, name, value, nth } of found) {
    // `extract` finds the first meta element of a name alone.
    if (kind === "meta" && nth > 1) continue;
    const isOneOfMany = (values.get(`${kind} ${name}`)?.different.size ?? 0) > 1;
    const field = nth === 1 ? { field: name } : { field: name, nth };
    tell({ value, from: kind === "meta" ? { meta: name } : field, name, within: "", isOneOfMany });
  }
}
