import { quote } from "@bearhug/text/printable";
import { TextReader } from "@bearhug/text/text-reader";
import { InvalidExtractorError } from "./extractor.ts";

/** Keys of objects and indexes of lists, from the root of a JSON document. */
export type JsonPath = readonly (string | number)[];

const plainKey = /[^.[\]"'\s]+/y;
const index = /\[(?:0|[1-9]\d{0,9})\]/y;
const quotedKey = /\["(?:[^"\\]|\\.)*"\]/y;
const unquotedKey = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

/** Reads `user.items[0].id` or `["odd key"].id`; "" is the whole document. @throws {InvalidExtractorError} */
export function parseJsonPath(text: string): JsonPath {
  const reader = new TextReader(text);
  const keys: (string | number)[] = [];
  while (!reader.isAtEnd) {
    const { offset } = reader;
    const bracketed = readBracketed(reader, text);
    if (bracketed !== null) {
      keys.push(bracketed);
      continue;
    }
    if (keys.length > 0 && reader.readOneOf(["."]) === null) fail(text, offset, '"." or "["');
    keys.push(reader.read(plainKey) ?? fail(text, reader.offset, 'a key, as in user.id or ["odd key"]'));
  }
  return keys;
}

/** Writes a path as `parseJsonPath` reads it. */
export function writeJsonPath(path: JsonPath): string {
  return path
    .map((key, place) => {
      if (typeof key === "number") return `[${key}]`;
      if (!unquotedKey.test(key)) return `[${quote(key)}]`;
      return place === 0 ? key : `.${key}`;
    })
    .join("");
}

function readBracketed(reader: TextReader, text: string): string | number | null {
  const { offset } = reader;
  const number = reader.read(index);
  if (number !== null) return Number(number.slice(1, -1));
  const key = reader.read(quotedKey);
  if (key === null) return null;
  try {
    return String(JSON.parse(key.slice(1, -1)));
  } catch {
    return fail(text, offset, "a key that is written as in JSON");
  }
}

function fail(text: string, offset: number, expected: string): never {
  throw new InvalidExtractorError(
    `JSON path ${quote(text)}: expected ${expected} at character ${offset + 1}.`,
  );
}

/** The result of looking up a path in a JSON document. */
export type Found =
  /** `mayBeRounded`: a number so large that JavaScript may have changed an integer. */
  | { readonly kind: "value"; readonly text: string; readonly mayBeRounded: boolean }
  /**
   * No string, number or boolean: the value at the end of the path, or the one after `depth` keys that lacks
   * the next key.
   */
  | { readonly kind: "other"; readonly depth: number; readonly what: unknown };

/** Looks up a path. It finds the document's own keys only, no properties that objects inherit. */
export function valueAt(document: unknown, path: JsonPath): Found {
  let here = document;
  for (const [depth, key] of path.entries()) {
    const next = step(here, key);
    if (next === undefined) return { kind: "other", depth, what: here };
    here = next;
  }
  if (typeof here !== "string" && typeof here !== "number" && typeof here !== "boolean")
    return { kind: "other", depth: path.length, what: here };
  const mayBeRounded = typeof here === "number" && Math.abs(here) > Number.MAX_SAFE_INTEGER;
  return { kind: "value", text: String(here), mayBeRounded };
}

/** Returns the value of a key; undefined, which no JSON value is, if there is none. */
function step(from: unknown, key: string | number): unknown {
  if (typeof key === "number") return Array.isArray(from) ? from[key] : undefined;
  if (typeof from !== "object" || from === null || Array.isArray(from)) return undefined;
  return Object.getOwnPropertyDescriptor(from, key)?.value;
}
