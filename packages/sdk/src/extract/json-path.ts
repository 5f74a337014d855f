import { quote } from "../text/printable.ts";
import { TextReader } from "../text/text-reader.ts";
import { InvalidExtractorError } from "./extractor.ts";

/** Keys of objects and indexes of lists, from the root of a JSON document. */
export type JsonPath = readonly (string | number)[];

const plainKey = /[^.[\]"'\s]+/y;
const index = /\[(?:0|[1-9]\d{0,9})\]/y;
const quotedKey = /\["(?:[^"\\]|\\.)*"\]/y;
const writtenPlain = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

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

/** The path as `parseJsonPath` reads it. */
export function writeJsonPath(path: JsonPath): string {
  return path
    .map((key, place) => {
      if (typeof key === "number") return `[${key}]`;
      if (!writtenPlain.test(key)) return `[${quote(key)}]`;
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
  | { readonly kind: "value"; readonly text: string }
  /** Something else than a text, number or boolean, or where the path ends too early: after `depth` of its keys. */
  | { readonly kind: "other"; readonly depth: number; readonly what: unknown };

/** Walks along a path. Only what the document itself has is found, never what every object has. */
export function valueAt(document: unknown, path: JsonPath): Found {
  let here = document;
  for (const [depth, key] of path.entries()) {
    const next = step(here, key);
    if (next === undefined) return { kind: "other", depth, what: here };
    here = next;
  }
  return typeof here === "string" || typeof here === "number" || typeof here === "boolean"
    ? { kind: "value", text: String(here) }
    : { kind: "other", depth: path.length, what: here };
}

/** JSON knows no undefined: it stands for nothing. */
function step(from: unknown, key: string | number): unknown {
  if (typeof key === "number") return Array.isArray(from) ? from[key] : undefined;
  if (typeof from !== "object" || from === null || Array.isArray(from)) return undefined;
  return Object.getOwnPropertyDescriptor(from, key)?.value;
}
