import { tryJson } from "@bearhug/text/try-json";
import { createScanner } from "jsonc-parser";

import { isNamingKey, isValueKey, secretNameAmong } from "./described-values.ts";

/** A string, number or key of a JSON text, with its nearest key. */
export interface JsonScalar {
  readonly key: string;
  /** The name beside it that makes it secret: `{"name":"password","value":"…"}`; "" if there is none. */
  readonly beside: string;
  /** Its position; that of a string without the quotes. */
  readonly start: number;
  readonly end: number;
  /** A string with its escapes resolved; a number as written. */
  readonly text: string;
  /** Keys are included because some are e-mail addresses. */
  readonly kind: "text" | "number" | "key";
}

/**
 * Returns the scalars of a JSON text in order; null if it is not a JSON object or list. Not recursive: a
 * server may nest deeply, and `visit` of jsonc-parser overflows the stack at 5,000 levels.
 */
export function scanJsonScalars(json: string): JsonScalar[] | null {
  if (!/^\s*[[{]/.test(json) || tryJson(json) === undefined) return null;
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

/** A scalar whose name may be beside it rather than before it. */
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
  /** True in an object if the next string is a key. */
  expectsKey: boolean;
}

/** The objects and lists around the scanner's position. Finds the names beside their scalars. */
class JsonNesting {
  readonly #open: Nested[] = [];

  begin(isList: boolean, key: string): void {
    this.#open.push({ isList, key, names: [], values: [], commas: 0, expectsKey: !isList });
  }

  /** Handles a comma, and returns the nearest key after it. */
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

  /** Notes that a key has been read. */
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

  /** Handles a closing bracket, and returns the nearest key after it. */
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
