import { isUuid } from "../secrets/random-text.ts";
import type { FreshValue } from "../value.ts";
import type { Use, Uses } from "./collect-uses.ts";
import type { ValueNames } from "./name-values.ts";
import { isIdName, ownerOf } from "./names.ts";
import type { Replacements } from "./replace-values.ts";
import type { Answers } from "./source.ts";

/** Query parameters that scripts add to bypass caches. */
const cacheBuster = /^(_|cb|cache-?bust\w*|rnd|rand|random|nocache|no_cache|ts|t)$/i;
/** Things to which clients assign ids themselves. */
const madeByClients = new Set(
  "request correlation trace span transaction idempotency operation message event client device visitor visit page view".split(
    " ",
  ),
);
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A browser's clock and the recorder's differ little; a page may have looked at it a while ago. */
const nearMs = 10 * 60_000;
const mostDigits = 30;

/**
 * Values that the browser made up are made up again: ids that no answer had, the time, and what keeps caches from
 * answering. One that is sent more than once is made once.
 */
export function makeFresh(uses: Uses, answers: Answers, names: ValueNames, replacements: Replacements): void {
  for (const [value, all] of uses) {
    const [first] = all;
    if (first === undefined || wasHandedOut(value, first, answers)) continue;
    const left = all.filter((use) => use.kind !== "path" && !replacements.has(use.atom));
    const made = left.flatMap((use) => {
      const what = freshValueOf(value, use, answers);
      return what === null ? [] : [{ use, what }];
    });
    const [one] = made;
    // A resource's address is not made up: who put it there, gets it again.
    if (one === undefined || (isUuid(value) && left.length < all.length)) continue;
    const id = made.length > 1 ? names.ofUse(one.use) : null;
    for (const { use } of made)
      replacements.add(use.atom, {
        start: use.start,
        end: use.end,
        part: { kind: "fresh", what: one.what, id },
      });
  }
}

function wasHandedOut(value: string, first: Use, { knownFrom }: Answers): boolean {
  return (knownFrom.get(value) ?? Infinity) <= first.by.wave;
}

function freshValueOf(value: string, use: Use, answers: Answers): FreshValue | null {
  // What an answer said that was not recorded, nobody knows.
  if (isUuid(value)) return answers.unknownFrom <= use.by.wave || isOfResource(use) ? null : "uuid";
  const atMs = answers.startedAtMs.get(use.by.request.entryIndex) ?? null;
  const time = atMs === null ? null : timeOf(value, atMs);
  if (time !== null) return time;
  if (use.kind !== "query" || !cacheBuster.test(use.name)) return null;
  if (/^0\.\d{1,30}$/.test(value)) return "fraction";
  return /^[1-9]\d{3,}$/.test(value) && value.length <= mostDigits ? { digits: value.length } : null;
}

/** `assetId`, or the `id` that a GET asks for: something that exists, though no recorded answer told of it. */
function isOfResource({ kind, name, by }: Use): boolean {
  if (kind === "header" || !isIdName(name)) return false;
  const owner = ownerOf(name);
  return owner === "" ? by.request.method === "GET" : !madeByClients.has(owner);
}

/** Returns the format of a value that is its own sending time; null for any other value. */
function timeOf(value: string, atMs: number): FreshValue | null {
  const isNear = (ms: number): boolean => Math.abs(ms - atMs) <= nearMs;
  if (/^\d{13}$/.test(value) && isNear(Number(value))) return "milliseconds";
  if (/^\d{10}$/.test(value) && isNear(Number(value) * 1000)) return "seconds";
  return value.length === 24 && isoDate.test(value) && isNear(Date.parse(value)) ? "iso date" : null;
}
