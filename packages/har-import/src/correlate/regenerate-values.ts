import { isUuid } from "../secrets/random-text.ts";
import type { FreshValue } from "../value.ts";
import type { Use, Uses, Replacements } from "./uses.ts";
import type { ValueNames } from "./name-values.ts";
import { isIdName, ownerOf } from "./names.ts";
import type { ResponseValues } from "./read-sources.ts";

/** Query parameters that scripts add to bypass caches. */
const cacheBuster = /^(_|cb|cache-?bust\w*|rnd|rand|random|nocache|no_cache|ts|t)$/i;
/** Kinds of objects whose ids clients assign themselves. */
const clientAssigned = new Set(
  "request correlation trace span transaction idempotency operation message event client device visitor visit page view".split(
    " ",
  ),
);
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** The clocks of browser and recorder differ little, but a page may have read its clock a while before. */
const nearMs = 10 * 60_000;
const maxDigits = 30;

/**
 * Generates again the values that the browser generated: ids that no response had, the time, and parameters
 * that bypass caches. A value that is sent several times is generated once.
 */
export function makeFresh(
  uses: Uses,
  responses: ResponseValues,
  names: ValueNames,
  replacements: Replacements,
): void {
  for (const [value, all] of uses) {
    const [first] = all;
    if (first === undefined || isFromResponse(value, first, responses)) continue;
    const left = all.filter((use) => use.kind !== "path" && !replacements.has(use.atom));
    const generated = left.flatMap((use) => {
      const what = freshValueOf(value, use, responses);
      return what === null ? [] : [{ use, what }];
    });
    const [one] = generated;
    // A UUID that is also in a path names a resource, which later requests have to find again.
    if (one === undefined || (isUuid(value) && left.length < all.length)) continue;
    const id = generated.length > 1 ? names.ofUse(one.use) : null;
    for (const { use } of generated)
      replacements.add(use.atom, {
        start: use.start,
        end: use.end,
        part: { kind: "fresh", what: one.what, id },
      });
  }
}

function isFromResponse(value: string, first: Use, { knownFrom }: ResponseValues): boolean {
  return (knownFrom.get(value) ?? Infinity) <= first.by.wave;
}

function freshValueOf(value: string, use: Use, responses: ResponseValues): FreshValue | null {
  // The UUID may come from a response whose body was not recorded.
  if (isUuid(value)) return responses.unknownFrom <= use.by.wave || isOfResource(use) ? null : "uuid";
  const atMs = responses.startedAtMs.get(use.by.request.entryIndex) ?? null;
  const time = atMs === null ? null : timeOf(value, atMs);
  if (time !== null) return time;
  if (use.kind !== "query" || !cacheBuster.test(use.name)) return null;
  if (/^0\.\d{1,30}$/.test(value)) return "fraction";
  return /^[1-9]\d{3,}$/.test(value) && value.length <= maxDigits ? { digits: value.length } : null;
}

/**
 * Returns true for the id of a resource that exists although no recorded response had it: `assetId`, or the
 * `id` of a GET.
 */
function isOfResource({ kind, name, by }: Use): boolean {
  if (kind === "header" || !isIdName(name)) return false;
  const owner = ownerOf(name);
  return owner === "" ? by.request.method === "GET" : !clientAssigned.has(owner);
}

/** Returns the format of a value that is its own sending time; null for any other value. */
function timeOf(value: string, atMs: number): FreshValue | null {
  const isNear = (ms: number): boolean => Math.abs(ms - atMs) <= nearMs;
  if (/^\d{13}$/.test(value) && isNear(Number(value))) return "milliseconds";
  if (/^\d{10}$/.test(value) && isNear(Number(value) * 1000)) return "seconds";
  return value.length === 24 && isoDate.test(value) && isNear(Date.parse(value)) ? "iso date" : null;
}
