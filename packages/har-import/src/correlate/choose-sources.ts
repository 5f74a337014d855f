import { Lists } from "../lists.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import type { Use, Uses } from "./collect-uses.ts";
import { CookieLookup } from "./cookie-lookup.ts";
import { isAskedFor, isCreatedId, isCreatedName, judge, sourceKey, useKey } from "./judge.ts";
import type { Answers, CookieSource, Source } from "./source.ts";
import { isMadeUp } from "./whole-address.ts";

/** Decisions about the values that requests send. */
interface Choices {
  readonly extracted: readonly { readonly source: Source; readonly uses: readonly Use[] }[];
  readonly fromCookies: readonly {
    readonly cookie: CookieSource;
    readonly isDecoded: boolean;
    readonly use: Use;
  }[];
  /** For a person to judge. */
  readonly possible: readonly { readonly source: Source; readonly use: Use }[];
}

type Growing<T> = { [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : never };

/**
 * Where each value comes from. A value that a request carried before the answer did is the client's own.
 *
 * A form's field comes from the last page that had it: that is the form that was sent. Of anything else the first answer
 * counts, unless a later one has the value in a better place (a field rather than a text) and still comes before every
 * use: what is equal within a recorded session stays equal within a replayed one, and the code takes it once.
 */
export function chooseSources(uses: Uses, answers: Answers): Choices {
  const choices: Growing<Choices> = { extracted: [], fromCookies: [], possible: [] };
  const cookies = new CookieLookup(answers.cookies);
  const claims = new Claims();
  // The longest first: a whole value is known to come from somewhere before a word within it is looked at.
  for (const [value, all] of [...uses].sort(([left], [right]) => right.length - left.length)) {
    const free = all.filter((use) => claims.isFree(use));
    const left = free.filter((use) => {
      const found = cookies.find(value, use);
      if (found !== null) choices.fromCookies.push({ ...found, use });
      return found === null;
    });
    const before = choices.extracted.length;
    const sources = answers.sources.get(value) ?? [];
    const [first] = all;
    if (first !== undefined && left.length > 0 && sources.length > 0) {
      if (left.some(isAddress)) chooseAddress(sources, left, choices);
      else if (isDistinctive(value)) chooseForAll(sources, first, left, choices);
      else chooseByName(sources, chooseCreated(value, first, left, answers, choices), choices);
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

/** A whole address: taken as it is, signature and all. */
function chooseAddress(sources: readonly Source[], uses: readonly Use[], choices: Growing<Choices>): void {
  const [first] = uses;
  const request = uses.find(isAddress);
  if (first === undefined || request === undefined) return;
  const source = sources.find((one) => one.by.knownFrom <= first.by.wave && givesAddress(one, request));
  if (source !== undefined) choices.extracted.push({ source, uses });
}

/**
 * Returns true if a response contains the whole address of a request. One of many is a person's choice, unless nobody
 * could type it.
 */
function givesAddress({ by, seen }: Source, use: Use): boolean {
  if (seen.value.startsWith("/") && by.request.origin !== use.by.request.origin) return false;
  return !("between" in seen.from) && (!seen.isOneOfMany || isMadeUp(use.by.request));
}

/** A value that means the same wherever it stands: one source for all, but for forms. */
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

/** The last page before a use that had the field: the form that was sent. */
function formOf({ kind, name, by }: Use, sources: readonly Source[]): Source | null {
  if (kind !== "form" && kind !== "multipart") return null;
  const forms = sources.filter(
    ({ by: page, seen }) => "field" in seen.from && seen.name === name && page.knownFrom <= by.wave,
  );
  return forms.toSorted((left, right) => left.by.place - right.by.place).at(-1) ?? null;
}

/**
 * The name of what a request created, which neither a request nor an answer had before: it means the same wherever it is
 * sent whole, but in headers. Returns the uses that are left.
 */
function chooseCreated(
  value: string,
  first: Use,
  uses: readonly Use[],
  { sources, knownFrom }: Answers,
  choices: Growing<Choices>,
): readonly Use[] {
  const source = (sources.get(value) ?? []).find(isCreatedName);
  const known = Math.min(knownFrom.get(value) ?? Infinity, first.by.wave);
  if (source === undefined || known < source.by.knownFrom || !uses.some(isAskedFor)) return uses;
  const whole = uses.filter(({ kind }) => kind !== "header");
  choices.extracted.push({ source, uses: whole.toSorted(inOrder) });
  return uses.filter(({ kind }) => kind === "header");
}

/** A value that may stand in many places by chance: those whose names agree are one thing. */
function chooseByName(sources: readonly Source[], uses: readonly Use[], choices: Growing<Choices>): void {
  // A header may be sent by every request, and come with every answer: those of one name are judged as one.
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
  follow(choices.extracted.slice(before), left, choices);
  const [first] = [...left.values()].flat().toSorted(inOrder);
  if (first !== undefined) addPossible(sources, first, choices);
}

/** Extracts a created id under other names, too: `from`, or one of `ids`. */
function follow(
  known: readonly Extracted[],
  left: Map<string, readonly Use[]>,
  choices: Growing<Choices>,
): void {
  const [only, ...others] = known;
  if (only === undefined || others.length > 0 || !isCreatedId(only.source)) return;
  const following = [...left.values()].flat();
  if (following.length === 0 || following.some(({ by }) => by.wave < only.source.by.knownFrom)) return;
  choices.extracted[choices.extracted.indexOf(only)] = {
    source: only.source,
    uses: [...only.uses, ...following].toSorted(inOrder),
  };
  left.clear();
}

function inOrder(left: Use, right: Use): number {
  return left.atom - right.atom || left.start - right.start;
}

function addPossible(sources: readonly Source[], use: Use, choices: Growing<Choices>): void {
  const source = sources.find((one) => one.by.knownFrom <= use.by.wave && judge(one, use) === "possible");
  if (source !== undefined) choices.possible.push({ source, use });
}

/** Characters of atoms that are known to come from somewhere: what is within them is no matter any more. */
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
