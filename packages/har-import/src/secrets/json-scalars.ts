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

const number = /-?\d[\d.eE+-]*/y;

/** The scalars of a JSON text in its order; null where it is no JSON object or list. */
export function scanJsonScalars(json: string): JsonScalar[] | null {
  if (!/^\s*[[{]/.test(json) || !isJson(json)) return null;
  const scalars: JsonScalar[] = [];
  const nesting = new JsonNesting();
  let key = "";
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === "{" || character === "[") nesting.begin(character === "[", key);
    else if (character === "}" || character === "]") key = nesting.end();
    else if (character === ",") key = nesting.next();
    else if (character === '"') {
      const start = at + 1;
      at = endOfString(json, start);
      const text = parseText(json.slice(start, at));
      const isKey = /^\s{0,64}:/.test(json.slice(at + 1, at + 66));
      if (isKey) key = text;
      const scalar: JsonScalar & NamedBeside = {
        key,
        beside: "",
        start,
        end: at,
        text,
        kind: isKey ? "key" : "text",
      };
      scalars.push(scalar);
      if (!isKey) nesting.add(scalar, key);
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      number.lastIndex = at;
      const written = number.exec(json)?.[0] ?? character;
      const end = at + written.length;
      const scalar: JsonScalar & NamedBeside = {
        key,
        beside: "",
        start: at,
        end,
        text: written,
        kind: "number",
      };
      scalars.push(scalar);
      nesting.add(scalar, key);
      at += written.length - 1;
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

/** Index of the closing quote of a string that has one. */
function endOfString(json: string, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

function parseText(inner: string): string {
  if (!inner.includes("\\")) return inner;
  const parsed: unknown = JSON.parse(`"${inner}"`);
  return typeof parsed === "string" ? parsed : inner;
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
}

/** Objects and lists of a JSON text around the place where a reader is, which learn what their scalars are called. */
class JsonNesting {
  readonly #open: Nested[] = [];

  begin(isList: boolean, key: string): void {
    this.#open.push({ isList, key, names: [], values: [], commas: 0 });
  }

  /** The nearest key behind a comma. */
  next(): string {
    const here = this.#open.at(-1);
    if (here !== undefined) here.commas++;
    return here?.key ?? "";
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
