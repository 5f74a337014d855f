import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Auth } from "@bearhug/sdk";

import { invalid, RequestFault } from "./request-fault.ts";

/** Matches text that a missing or unsuitable value leaves in an address or a header. */
const traces = /undefined|NaN|null|object/;
const whole = /^(?:undefined|NaN)(?:\.\w+)?$/;
const wholeInPath = /^(?:undefined|NaN|null)(?:\.\w+)?$/;
const parsed = /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i;
const described = /(?:\[|%5B)object(?: |%20|\+)\w+(?:\]|%5D)/i;

/** Matches a word in a header. `null` is one only as credentials: browsers send `origin: null`. */
const wordInHeader =
  /(?<![^\s=;,:"])(?:undefined|NaN|(?<=\b(?:[Bb]earer|[Tt]oken|[Bb]asic)\s+)null)(?![^\s=;,:"])|\[object \w+\]/g;
/** Matches the text before a word that belongs to it, such as `Bearer ` or `session=`. */
const before = /[\w.%-]*[\s=;,:"]+$/;
const longestBefore = 100;
const maxKnown = 10_000;

/** Matches a whole text. A list of objects has commas. */
const wholeText = /^(?:undefined|NaN|\[object \w+\](?:,\[object \w+\])*)$/;

/** Returns true if a path or query may contain such text: a cheap check that is seldom true. */
export function mayMissValue(pathAndQuery: string): boolean {
  return traces.test(pathAndQuery);
}

/** A part of an address, and its place. */
interface SuspectPart {
  readonly place: "path" | "query";
  /** As written: a segment, or a name with its value. */
  readonly text: string;
}

/**
 * Returns the parts of an address that look like a missing value: `undefined` or `NaN` as a whole segment,
 * name or value; `null` only as a segment, because real sites request `?parent=null`; `[object Object]`
 * anywhere.
 */
function suspectParts(address: string): SuspectPart[] {
  const [, path = "", query = ""] = parsed.exec(address) ?? [];
  const segments = path
    .split("/")
    .filter((text) => wholeInPath.test(text) || described.test(text))
    .map((text) => ({ place: "path", text }) as const);
  const fields = query
    .split("&")
    .filter((text) => described.test(text) || text.split("=").some((one) => whole.test(one)))
    .map((text) => ({ place: "query", text }) as const);
  return [...segments, ...fields];
}

/** Returns true for a text that is nothing but a missing value. Most texts cost one comparison. */
export function isMissing(text: string): boolean {
  switch (text.charCodeAt(0)) {
    case 0x4e: // N
    case 0x5b: // [
    case 0x75: // u
      return wholeText.test(text);
    default:
      return false;
  }
}

/** A place in a request that has a name and a text. */
export interface NamedText {
  /** As errors show it, such as `form: "user"`. */
  readonly place: string;
  /** The name that the text has in the code of a test that means it. */
  readonly name: string;
  readonly text: string;
  /** How to send such a text on purpose, other than by writing it in the test's code. */
  readonly way?: string;
}

/**
 * Rejects requests in which a value is missing, unless the text is the test's own: in its code, because imported
 * tests repeat the requests of a site, or a whole value in its data.
 */
export class MissingValues {
  readonly #readCode: () => string;
  readonly #isData: (text: string) => boolean;
  /** True for each name and text that was found in the code. */
  readonly #inCode = new Map<string, boolean>();
  #code: string | null = null;

  /**
   * `readCode` returns the test's code. It is called when the code is first needed. `isData` returns true for a
   * value in the test's data.
   */
  constructor(readCode: () => string, isData: (text: string) => boolean) {
    this.#readCode = readCode;
    this.#isData = isData;
  }

  /** @throws {RequestFault} if a value is missing in the address, which is passed as the test gives it */
  refuseAddress(method: string, address: string): void {
    const missing = suspectParts(address).find((part) => !this.#isWritten(part));
    if (missing === undefined) return;
    const { place, text } = missing;
    const [, path = ""] = parsed.exec(address) ?? [];
    const problem = `${method.toUpperCase()} ${path}: the ${place} has "${text}", ${causeOf(text)}.`;
    const way = place === "path" ? "set rawPath: true" : "give it with params";
    throw new RequestFault("INVALID_URL", `${problem} If it is meant so, ${way}.`);
  }

  /** @throws {RequestFault} if a value is missing in a header */
  refuseHeader(name: string, text: string): void {
    const problem = this.#problemOfHeader("headers", name, text);
    if (problem !== null) throw invalid(problem);
  }

  /** @throws {RequestFault} if a value is missing in credentials */
  refuseAuth(auth: Auth): void {
    const problem = this.#problemOfAuth("auth", auth);
    if (problem !== null) throw invalid(problem);
  }

  /** @throws {RequestFault} if the whole text is a missing value */
  refuseText({ place, name, text, way }: NamedText): void {
    if (!isMissing(text) || this.#isInCode(name, "", text) || this.#isData(text)) return;
    throw invalid(sentence(`${place} is`, text, way === undefined ? writeIt : `${writeIt}, or ${way}`));
  }

  /** Returns the problem with the first value that is missing in a scenario's `http`; null if there is none. */
  problemOf({ headers, auth }: Pick<ValidatedHttp, "headers" | "auth">): string | null {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const problem = this.#problemOfHeader("http.headers", headers[at] ?? "", headers[at + 1] ?? "");
      if (problem !== null) return problem;
    }
    return auth === null ? null : this.#problemOfAuth("http.auth", auth);
  }

  /** The problem does not quote more of the header than the missing value: the rest may be a secret. */
  #problemOfHeader(option: string, name: string, text: string): string | null {
    if (!traces.test(text)) return null;
    const isLogin = name.toLowerCase() === "authorization";
    for (const { 0: word, index } of text.matchAll(wordInHeader)) {
      const [context = ""] = before.exec(text.slice(0, index).slice(-longestBefore)) ?? [];
      const isOwn = this.#isInCode(name, context, word) || (!isLogin && this.#isData(text));
      if (!isOwn) return sentence(`${option}: ${name} has`, word, writeIt);
    }
    return null;
  }

  #problemOfAuth(option: string, auth: Auth): string | null {
    for (const [name, text] of Object.entries(auth)) {
      if (typeof text !== "string" || !(isMissing(text) || (name === "bearer" && text === "null"))) continue;
      if (!this.#isInCode(name, "", text)) return sentence(`${option}.${name} is`, text, writeIt);
    }
    return null;
  }

  #isWritten({ place, text }: SuspectPart): boolean {
    if (this.#readsCode().includes(place === "path" ? `/${text}` : text)) return true;
    const [name = "", given = text] = place === "path" ? [place] : text.split("=");
    const value = given
      .replace(/%5B/i, "[")
      .replace(/%20|\+/, " ")
      .replace(/%5D/i, "]");
    return this.#isInCode(name, "", value) || this.#isData(value);
  }

  /** Searches the code once for each name and text: a large one takes long. */
  #isInCode(name: string, context: string, text: string): boolean {
    const key = `${name}: ${context}${text}`;
    const known = this.#inCode.get(key);
    if (known !== undefined) return known;
    const code = this.#readsCode();
    const isFound = context === "" ? isValueIn(code, name, text) : code.includes(context + text);
    if (this.#inCode.size < maxKnown) this.#inCode.set(key, isFound);
    return isFound;
  }

  #readsCode(): string {
    return (this.#code ??= this.#readCode());
  }
}

const writeIt = "write it next to its name in the test's code";

/** Matches the inside of a list before one of its items: its texts may have semicolons, but statements end it. */
const items = /\[(?:[^;"'`]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`){0,5000}?/.source;
/** Matches where a variable, a default or the argument of a function begins. Comparisons have no such place. */
const ownValue = /(?<![=!<>])=|(?<![.\w$])[\w$]+\((?:[^();]{0,200},)?/.source;

/**
 * Returns true if the code has the text, in quotes, as the value of the name, of a variable or of an argument, or
 * in a list that is such a value.
 */
function isValueIn(code: string, name: string, text: string): boolean {
  if (!code.includes(text)) return false;
  const value = String.raw`["'\`](?:\\?")?${escaped(text)}(?:\\?")?["'\`]`;
  const place = String.raw`(?:${spelled(name)}["'\`]?\s*[:,]|${ownValue})`;
  return new RegExp(String.raw`${place}\s*(?:${items})?${value}`, "i").test(code);
}

/** Returns an expression for a name as it stands in a bundle, in which all but ASCII is escaped. */
function spelled(name: string): string {
  return Array.from(name, (character) => {
    if (/[^ -~]/.test(character))
      return String.raw`(?:${character}|(?:\\[xu][\da-f{}]{2,8}){1,2}|\\[bfnrtv])`;
    return /\w/.test(character) ? character : `\\\\?\\${character}`;
  }).join("");
}

function sentence(start: string, text: string, way: string): string {
  return `${start} "${text}", ${causeOf(text)}. If it is meant so, ${way}.`;
}

function escaped(text: string): string {
  return text.replace(/\W/g, String.raw`\$&`);
}

function causeOf(text: string): string {
  if (/object(?: |%20|\+)Promise/i.test(text)) return "so a promise was not awaited";
  return described.test(text) ? "so an object stands where a text should" : "so a value is missing";
}
