import { createScanner } from "jsonc-parser";

import { isNamingKey, isValueKey, secretNameAmong } from "./described-values.ts";

/** A text or number in a JSON text, under its nearest key. */
export interface JsonScalar {
  readonly key: string;
  /** A name beside it that makes it secret: `{"name":"password","value":"…"}`; "" for none. */
  readonly beside: string;
  /** Where it is written; of a text, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** A text with its escapes undone; a number as written. */
  readonly text: string;
  /** Keys are told, too: people's addresses are found among them. */
  readonly kind: "text" | "number" | "key";
}

/**
 * The scalars of a JSON text in its order; null where it is no JSON object or list. Not recursive: a server may nest deeply, and
 * `visit` of jsonc-parser overflows the stack at 5,000 levels.
 */
export function scanJsonScalars(json: string): JsonScalar[] | null {
  if (!/^\s*[[{]/.test(json) || !isJson(json)) return null;
  const scalars: JsonScalar[] = [];
  const nesting = new JsonNesting();
  const scanner = createScanner(json, true);
  let key = "";
  for (scanner.scan(); scanner.getTokenOffset() < json.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const sign = json.charAt(offset);
    if (sign === "{" || sign === "[") nesting.begin(sign === "[", key);
    else if (sign === "}" || sign === "]") key = nesting.end();
    else if (sign === ",") key = nesting.next();
    else if (sign === ":") nesting.named();
    else if (/["\d-]/.test(sign)) {
      const quote = sign === '"' ? 1 : 0;
      const [start, end] = [offset + quote, offset + scanner.getTokenLength() - quote];
      const text = scanner.getTokenValue();
      const isKey = nesting.expectsKey;
      if (isKey) key = text;
      const kind = isKey ? "key" : quote === 1 ? "text" : "number";
      const scalar: JsonScalar & NamedBeside = { key, beside: "", start, end, text, kind };
      scalars.push(scalar);
      if (!isKey) nesting.add(scalar, key);
    }
  }
  return scalars;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A scalar whose name may stand beside it, not before it. */
interface NamedBeside {
  readonly text: string;
  beside: string;
}

interface Nested {
  readonly isList: boolean;
  /** The nearest key around it. */
  readonly key: string;
  readonly names: string[];
  readonly values: NamedBeside[];
  commas: number;
  /** In an object, the next text is a key. */
  expectsKey: boolean;
}

/** Objects and lists of a JSON text around the place where a reader is, which learn what their scalars are called. */
class JsonNesting {
  readonly #open: Nested[] = [];

  begin(isList: boolean, key: string): void {
    this.#open.push({ isList, key, names: [], values: [], commas: 0, expectsKey: !isList });
  }

  /** The nearest key behind a comma. */
  next(): string {
    const here = this.#open.at(-1);
    if (here !== undefined) {
      here.commas++;
      here.expectsKey = !here.isList;
    }
    return here?.key ?? "";
  }

  get expectsKey(): boolean {
    return this.#open.at(-1)?.expectsKey === true;
  }

  /** A key has been read. */
  named(): void {
    const here = this.#open.at(-1);
    if (here !== undefined) here.expectsKey = false;
  }

  add(scalar: NamedBeside, key: string): void {
    const here = this.#open.at(-1);
    if (here === undefined) return;
    if (here.isList ? here.commas < 2 : isValueKey(key)) here.values.push(scalar);
    else if (!here.isList && isNamingKey(key)) here.names.push(scalar.text);
  }

  /** The nearest key behind what ends here. */
  end(): string {
    const ended = this.#open.pop();
    if (ended === undefined) return "";
    const { isList, key, names, values, commas } = ended;
    const [first, second] = values;
    if (!isList) {
      const name = values.length === 0 ? "" : secretNameAmong([...names, key]);
      for (const value of values) value.beside = name;
    } else if (first !== undefined && second !== undefined && commas === 1 && this.#open.at(-1)?.isList) {
      second.beside = secretNameAmong([first.text]);
    }
    return key;
  }
}
