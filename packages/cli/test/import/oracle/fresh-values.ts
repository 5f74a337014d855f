import type { RecordedExchange } from "./recorded-exchange.ts";
import { escapePattern } from "./pieces.ts";
import { valuesOf } from "./places.ts";

/** Values that a site would make anew for each visit, with their replacements for one visit. */
export interface FreshValues {
  /** Replaces the recorded values with fresh ones. */
  renew(text: string): string;
  /** Replaces the fresh values with the recorded ones. */
  restore(text: string): string;
}

/**
 * True unless the value is so plain, such as a word or a small number, that a response may contain it by
 * chance.
 */
const isOfAVisit = (value: string): boolean =>
  /^[\w.~+/=-]{6,200}$/.test(value) && /\d/.test(value) && (/[a-z]/i.test(value) || value.length >= 8);

/**
 * Finds values that a response contained and a later request sent back, and replaces each with another of the
 * same shape. A test that extracts the value from the response then sends the fresh one; a test that
 * hard-codes it sends the recorded one.
 */
export function findFreshValues(exchanges: readonly RecordedExchange[]): FreshValues {
  const renewed = new Map<string, string>();
  const everything = exchanges.map((one) => textsOf(one).join("\n")).join("\n");
  for (const [index, { request }] of exchanges.entries())
    for (const value of valuesOf(request)) {
      if (renewed.has(value) || !isOfAVisit(value)) continue;
      const giver = exchanges.findIndex(({ response }) =>
        responseTexts(response).some((one) => one.includes(value)),
      );
      const isKnownBefore = exchanges
        .slice(0, giver + 1)
        .some((earlier) => requestTexts(earlier.request).some((one) => one.includes(value)));
      const other = renewed.size < mostRenewed ? anotherLike(value) : value;
      if (giver !== -1 && giver < index && !isKnownBefore && !everything.includes(other))
        renewed.set(value, other);
    }
  return {
    renew: replacer(renewed),
    restore: replacer(new Map(Array.from(renewed, ([recorded, fresh]) => [fresh, recorded]))),
  };
}

const mostRenewed = 500;

function textsOf({ request, response }: RecordedExchange): string[] {
  return [...requestTexts(request), ...responseTexts(response)];
}

function requestTexts({ target, body }: RecordedExchange["request"]): string[] {
  return [target, body.toString("utf8")];
}

function responseTexts({ headers, body, isText }: RecordedExchange["response"]): string[] {
  return [...headers.map(([, value]) => value), ...(isText ? [body.toString("utf8")] : [])];
}

/** Returns a function that replaces the longest values first, so that no value is replaced inside another. */
function replacer(values: ReadonlyMap<string, string>): (text: string) => string {
  const known = [...values.keys()].sort((left, right) => right.length - left.length);
  if (known.length === 0) return (text) => text;
  const pattern = new RegExp(known.map(escapePattern).join("|"), "g");
  return (text) => text.replace(pattern, (value) => values.get(value) ?? value);
}

/**
 * Returns a value of the same length and kinds of characters. A UUID stays a UUID, hexadecimal stays
 * hexadecimal.
 */
function anotherLike(value: string): string {
  const isHexadecimal = /^[\da-f-]+$/i.test(value);
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value);
  return Array.from(value, (character, index) => {
    // These digits state the UUID's version and variant.
    if (isUuid && (index === 14 || index === 19)) return character;
    return next(character, isHexadecimal ? "abcdef" : "abcdefghijklmnopqrstuvwxyz");
  }).join("");
}

function next(character: string, letters: string): string {
  if (/\d/.test(character)) return character === "0" ? "0" : String((Number(character) % 9) + 1);
  const at = letters.indexOf(character.toLowerCase());
  if (at === -1) return character;
  const other = letters.charAt((at + 1) % letters.length);
  return character === character.toLowerCase() ? other : other.toUpperCase();
}
