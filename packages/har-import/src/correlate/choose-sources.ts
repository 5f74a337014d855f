import { isSecretName } from "@bearhug/text/secrets/secret-names";

import { lastEarly, Lists } from "../lists.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import { percentDecode } from "../parse-pairs.ts";
import type { Use, Uses } from "./uses.ts";
import { isLookup, isCreatedId, isCreatedName, isCreatedNumber, judge, sourceKey, useKey } from "./judge.ts";
import type { ResponseValues, CookieSource, Source } from "./read-sources.ts";
import { hasGeneratedAddress } from "./whole-address.ts";

/** Decisions about the values that requests send. */
interface Choices {
  readonly extracted: readonly { readonly source: Source; readonly uses: readonly Use[] }[];
  readonly fromCookies: readonly {
    readonly cookie: CookieSource;
    readonly isDecoded: boolean;
    readonly use: Use;
  }[];
  /** Values whose source is only possible: the user decides. */
  readonly possible: readonly { readonly source: Source; readonly use: Use }[];
}

type Growing<T> = { [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : never };

/**
 * Chooses the source of each value. A value that a request sent before any response had it is the client's
 * own.
 *
 * A form field comes from the last page that had it: that is the form that was sent. Any other value comes
 * from the first response that had it, unless a later one has it in a better place (a field rather than a
 * text) and still comes before every use: values that are equal within the recorded session are equal within
 * a replayed one, too, and the test extracts them once.
 */
export function chooseSources(uses: Uses, responses: ResponseValues): Choices {
  const choices: Growing<Choices> = { extracted: [], fromCookies: [], possible: [] };
  const cookies = new CookieLookup(responses.cookies);
  const claims = new Claims();
  // The longest first: once the source of a whole value is known, the words within it need none.
  for (const [value, all] of [...uses].sort(([left], [right]) => right.length - left.length)) {
    const free = all.filter((use) => claims.isFree(use));
    const left = free.filter((use) => {
      const found = cookies.find(value, use);
      if (found !== null) choices.fromCookies.push({ ...found, use });
      return found === null;
    });
    const before = choices.extracted.length;
    const sources = responses.sources.get(value) ?? [];
    const [first] = all;
    if (first !== undefined && left.length > 0 && sources.length > 0) {
      if (left.some(isAddress)) chooseAddress(sources, left, choices);
      else if (isDistinctive(value)) chooseForAll(sources, first, left, choices);
      else chooseByName(sources, chooseCreated(value, first, left, responses, choices), choices);
    }
    const kept = new Set(left);
    claims.add(free.filter((use) => !kept.has(use)));
    for (const { uses: claimed } of choices.extracted.slice(before)) claims.add(claimed);
  }
  choices.extracted.sort((left, right) => placeOf(left) - placeOf(right) || atomOf(left) - atomOf(right));
  return choices;
}

type Extracted = Choices["extracted"][number];

function placeOf({ source }: Extracted): number {
  return source.by.place;
}

function atomOf({ uses }: Extracted): number {
  return uses[0]?.atom ?? 0;
}

function isAddress({ kind }: Use): boolean {
  return kind === "address";
}

/** Extracts a whole address as it is, signature and all. */
function chooseAddress(sources: readonly Source[], uses: readonly Use[], choices: Growing<Choices>): void {
  const [first] = uses;
  const request = uses.find(isAddress);
  if (first === undefined || request === undefined) return;
  const source = sources.find((one) => one.by.knownFrom <= first.by.wave && suppliesAddress(one, request));
  if (source !== undefined) choices.extracted.push({ source, uses });
}

/**
 * Returns true if a response contains the whole address of a request. If it is one of many, a person chose
 * it, unless nobody could have typed it.
 */
function suppliesAddress({ by, seen }: Source, use: Use): boolean {
  if (seen.value.startsWith("/") && by.request.origin !== use.by.request.origin) return false;
  return !("between" in seen.from) && (!seen.isOneOfMany || hasGeneratedAddress(use.by.request));
}

/** Chooses one source for a value that means the same everywhere, except for form fields. */
function chooseForAll(
  sources: readonly Source[],
  first: Use,
  uses: readonly Use[],
  choices: Growing<Choices>,
): void {
  const earlier = sources.filter(({ by }) => by.knownFrom <= first.by.wave);
  const source = earlier.find((one) => judge(one, first) === "certain");
  if (source === undefined) {
    addPossible(earlier, first, choices);
    return;
  }
  const bySource = Map.groupBy(uses, (use) => formOf(use, sources) ?? source);
  for (const [own, some] of bySource) choices.extracted.push({ source: own, uses: some });
}

/** Returns the last page before a use that had the field: it has the form that was sent. */
function formOf({ kind, name, by }: Use, sources: readonly Source[]): Source | null {
  if (kind !== "form" && kind !== "multipart") return null;
  const forms = sources.filter(
    ({ by: page, seen }) => "field" in seen.from && seen.name === name && page.knownFrom <= by.wave,
  );
  return forms.toSorted((left, right) => left.by.place - right.by.place).at(-1) ?? null;
}

/**
 * Extracts the name of a created object, which neither a request nor a response had before: it means the same
 * wherever it is sent whole, except in headers. Returns the uses that are left.
 */
function chooseCreated(
  value: string,
  first: Use,
  uses: readonly Use[],
  { sources, knownFrom }: ResponseValues,
  choices: Growing<Choices>,
): readonly Use[] {
  const source = (sources.get(value) ?? []).find(isCreatedName);
  const known = Math.min(knownFrom.get(value) ?? Infinity, first.by.wave);
  if (source === undefined || known < source.by.knownFrom || !uses.some(isLookup)) return uses;
  const whole = uses.filter(({ kind }) => kind !== "header");
  choices.extracted.push({ source, uses: whole.toSorted(inOrder) });
  return uses.filter(({ kind }) => kind === "header");
}

/**
 * Chooses sources for a value that may be in many places by chance: only places whose names agree belong
 * together.
 */
function chooseByName(sources: readonly Source[], uses: readonly Use[], choices: Growing<Choices>): void {
  // Every request may send a header, and every response may have it: uses of the same name are judged once.
  const left = Map.groupBy(uses, useKey);
  const before = choices.extracted.length;
  const agreeing = new Map<string, readonly string[]>();
  const findAgreeing = (source: Source): string[] =>
    [...left].flatMap(([key, [first]]) =>
      first !== undefined && judge(source, first) === "certain" ? [key] : [],
    );
  for (const source of sources) {
    const key = sourceKey(source);
    const keys = agreeing.get(key) ?? findAgreeing(source);
    agreeing.set(key, keys);
    const taken = keys.flatMap((one) => left.get(one)?.[0] ?? []);
    const [first] = taken.toSorted(inOrder);
    if (first === undefined || first.by.wave < source.by.knownFrom) continue;
    choices.extracted.push({ source, uses: keys.flatMap((one) => left.get(one) ?? []).toSorted(inOrder) });
    for (const one of keys) left.delete(one);
  }
  extractUnderOtherNames(choices.extracted.slice(before), left, choices);
  const [first] = [...left.values()].flat().toSorted(inOrder);
  if (first !== undefined) addPossible(sources, first, choices);
}

/**
 * Extracts a created id under other names, too: `from`, or one of `ids`. A short number counts only in paths and
 * fields for ids: elsewhere, it may be anything.
 */
function extractUnderOtherNames(
  known: readonly Extracted[],
  left: Map<string, readonly Use[]>,
  choices: Growing<Choices>,
): void {
  const [only, ...others] = known;
  if (only === undefined || others.length > 0) return;
  const isAnywhere = isCreatedId(only.source);
  if (!isAnywhere && !isCreatedNumber(only.source)) return;
  const following = [...left].filter(([, [first]]) => isAnywhere || (first !== undefined && isLookup(first)));
  const more = following.flatMap(([, uses]) => uses);
  if (more.length === 0 || more.some(({ by }) => by.wave < only.source.by.knownFrom)) return;
  choices.extracted[choices.extracted.indexOf(only)] = {
    source: only.source,
    uses: [...only.uses, ...more].toSorted(inOrder),
  };
  for (const [key] of following) left.delete(key);
}

function inOrder(left: Use, right: Use): number {
  return left.atom - right.atom || left.start - right.start;
}

function addPossible(sources: readonly Source[], use: Use, choices: Growing<Choices>): void {
  const source = sources.find((one) => one.by.knownFrom <= use.by.wave && judge(one, use) === "possible");
  if (source !== undefined) choices.possible.push({ source, use });
}

/** Ranges of atoms whose source is known: the values within them need none. */
class Claims {
  readonly #byAtom = new Lists<number, Use>();

  add(uses: readonly Use[]): void {
    for (const use of uses) {
      if (use.covered === undefined) this.#byAtom.add(use.atom, use);
      for (const { atom, length } of use.covered ?? [])
        this.#byAtom.add(atom, { ...use, atom, start: 0, end: length });
    }
  }

  isFree({ atom, start, end }: Use): boolean {
    return this.#byAtom.of(atom).every((other) => end <= other.start || start >= other.end);
  }
}

/** A cookie that has a value at the time of a use: as it is, or percent-decoded. */
interface FoundCookie {
  readonly cookie: CookieSource;
  readonly isDecoded: boolean;
}

/** All values of one cookie (a name and an origin), in the order in which they were set. */
type History = readonly CookieSource[];

interface PlacedCookie extends FoundCookie {
  /** If a VU has several cookies with the value, the first one counts. */
  readonly place: number;
}

/** The cookies that ever had a value, each with the times at which it was set to it. */
type Holders = Map<History, Map<CookieSource, PlacedCookie>>;

/**
 * Finds the cookie that a value comes from: pages repeat cookies in a header or field to prove that they can
 * read them.
 */
class CookieLookup {
  readonly #byValue = new Map<string, Holders>();
  #count = 0;

  constructor(byName: ReadonlyMap<string, readonly CookieSource[]>) {
    for (const cookies of byName.values()) {
      const histories = Map.groupBy(cookies, ({ origin }) => origin);
      for (const cookie of cookies) {
        const history = histories.get(cookie.origin) ?? [];
        this.#add(cookie.value, history, { cookie, isDecoded: false });
        const decoded = percentDecode(cookie.value);
        if (decoded !== cookie.value) this.#add(decoded, history, { cookie, isDecoded: true });
      }
    }
  }

  /** Returns the cookie that has this value at the time of the use; null if there is none. */
  find(value: string, use: Use): FoundCookie | null {
    const { by, name } = use;
    if (this.#byValue.size === 0) return findLeftOut(value, use);
    const holders = this.#byValue.get(value);
    if (holders === undefined) return null;
    if (!isDistinctive(value) && (value.length < 4 || !isSecretName(name))) return null;
    let first: PlacedCookie | null = null;
    for (const [history, times] of holders) {
      const last = lastEarly(history, ({ knownFrom }) => knownFrom <= by.wave);
      const held = last === undefined ? undefined : times.get(last);
      if (held !== undefined && (first === null || held.place < first.place)) first = held;
    }
    return first;
  }

  #add(value: string, history: History, found: FoundCookie): void {
    if (value === "") return;
    const holders: Holders = this.#byValue.get(value) ?? new Map<History, Map<CookieSource, PlacedCookie>>();
    this.#byValue.set(value, holders);
    const times = holders.get(history) ?? new Map<CookieSource, PlacedCookie>();
    holders.set(history, times);
    times.set(found.cookie, { ...found, place: this.#count++ });
  }
}

/**
 * Returns the cookie that a header repeats by convention (Angular, axios, Laravel, Spring). Browsers leave all
 * cookies out of a capture unless they are asked for sensitive data, but not this header.
 */
function findLeftOut(value: string, { by, kind, name, start }: Use): FoundCookie | null {
  if (kind !== "header" || start !== 0 || !/^x-xsrf-token$/i.test(name)) return null;
  const cookie = { name: "XSRF-TOKEN", origin: by.request.origin, value, knownFrom: -1 };
  return { cookie, isDecoded: true };
}
