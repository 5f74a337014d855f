import { constants } from "node:buffer";

import { errorMessage } from "@bearhug/text/caught-error";

import { visit } from "jsonc-parser";

import type { JsonFeed, SharedBytes } from "../protocol/shared-feeds.ts";
import { LineNumbers, type RowProblems } from "./row-problems.ts";
import { RowStartsWriter, type IndexedRows } from "./row-starts.ts";

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];
const lineFeed = 0x0a;

/** Called with each row that is valid. */
type OnRow = (row: unknown) => void;

/** Finds the rows of a JSON file that contains one list. Returns null if there is no such list. */
export function indexJson(
  bytes: SharedBytes,
  file: string,
  problems: RowProblems,
  onRow: OnRow,
): IndexedRows<JsonFeed> | null {
  const starts = new RowStartsWriter(bytes.length);
  const end = findItems(bytes, starts);
  if (end === null) {
    problems.add(...describeMistake(bytes, file, null));
    return null;
  }
  const feed = { format: "json", bytes, starts: starts.finish(end) } as const;
  const columns = new Set<string>();
  const wrong = new Set<number>();
  const lines = new LineNumbers(bytes);
  const textOf = rowTexts(feed);
  for (let index = 0; index < feed.starts.length - 1; index += 1) {
    const offset = feed.starts[index] ?? 0;
    try {
      const text = textOf(index);
      const row: unknown = JSON.parse(text);
      addNames(row, columns);
      onRow(row);
      const rounded = describeRounded(text);
      if (rounded === null) continue;
      problems.add(() => `${file}:${lines.at(offset)}, row ${index + 1}`, rounded);
      wrong.add(index);
    } catch (error) {
      problems.add(...describeMistake(bytes, file, { offset, error }));
      return null;
    }
  }
  return { feed: { ...feed, columns: [...columns] }, wrong };
}

/** Finds the rows of a file with one JSON value per line; blank lines are left out. */
export function indexNdjson(
  bytes: SharedBytes,
  file: string,
  problems: RowProblems,
  onRow: OnRow,
): IndexedRows<JsonFeed> {
  const starts = new RowStartsWriter(bytes.length);
  const wrong = new Set<number>();
  const columns = new Set<string>();
  const lines = new LineNumbers(bytes);
  const text = bufferOf(bytes);
  for (let at = 0; at < bytes.length;) {
    const found = text.indexOf(lineFeed, at);
    const end = found === -1 ? bytes.length : found;
    const start = skipSpace(bytes, at);
    if (start < end) {
      let mistake: string | null;
      try {
        const line = text.toString("utf8", start, end);
        const row: unknown = JSON.parse(line);
        addNames(row, columns);
        onRow(row);
        mistake = describeRounded(line);
      } catch (error) {
        mistake = describe(error);
      }
      if (mistake !== null) {
        problems.add(() => `${file}:${lines.at(start)}`, mistake);
        wrong.add(starts.count);
      }
      starts.add(start);
    }
    at = end + 1;
  }
  const feed = { format: "json", bytes, starts: starts.finish(bytes.length), columns: [...columns] } as const;
  return { feed, wrong };
}

/** Returns a function that parses the row at an index. */
export function jsonRowReader(feed: RowsOfJson): (index: number) => unknown {
  const textOf = rowTexts(feed);
  return (index) => JSON.parse(textOf(index)) as unknown;
}

type RowsOfJson = Pick<JsonFeed, "bytes" | "starts">;

/** Returns a function that returns the text of the row at an index, without the separator after it. */
function rowTexts({ bytes, starts }: RowsOfJson): (index: number) => string {
  const text = bufferOf(bytes);
  return (index) => {
    const start = starts[index] ?? 0;
    let end = starts[index + 1] ?? 0;
    while (end > start && (bytes[end - 1] === comma || isSpace(bytes[end - 1]))) end -= 1;
    return text.toString("utf8", start, end);
  };
}

/**
 * Describes the first integer of a JSON text that JavaScript would silently change; null if there is none.
 */
function describeRounded(text: string): string | null {
  // Shorter integers are below 2^53, and checking each number takes several times as long
  // as parsing the text.
  if (!/\d{16}/.test(text)) return null;
  const found: string[] = [];
  JSON.parse(text, (key, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? "";
    if (typeof value === "number" && /^-?\d+$/.test(source) && !isExact(value, source)) found.push(key);
    return value;
  });
  const [first] = found;
  if (first === undefined) return null;
  const name = first === "" ? "the row" : JSON.stringify(first);
  return `${name} is an integer beyond 2^53, which JavaScript would round. Write it as a string, in quotes.`;
}

/**
 * True if JavaScript can represent the integer exactly: it writes it as in the source, or with other
 * digits of the same value.
 */
function isExact(value: number, source: string): boolean {
  return String(value) === source || (Number.isFinite(value) && BigInt(value) === BigInt(source));
}

function bufferOf({ buffer, byteOffset, length }: SharedBytes): Buffer<SharedArrayBuffer> {
  return Buffer.from(buffer, byteOffset, length);
}

/** Adds the names of a row's values. */
export function addNames(row: unknown, names: Set<string>): void {
  if (typeof row === "object" && row !== null) for (const name of Object.keys(row)) names.add(name);
}

/**
 * Adds the offset of each item of the list, and returns the offset of the list's end; null if
 * the text is not a list.
 */
function findItems(bytes: Uint8Array, starts: RowStartsWriter): number | null {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== listStart) return null;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] !== listEnd || starts.count > 0) {
    starts.add(at);
    at = skipSpace(bytes, skipValue(bytes, at));
    if (bytes[at] === listEnd) break;
    if (bytes[at] !== comma) return null;
    at = skipSpace(bytes, at + 1);
  }
  return skipSpace(bytes, at + 1) === bytes.length ? at : null;
}

/** Returns the offset after a value. It only finds the end; the parser decides whether the value is valid. */
function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = skipString(bytes, at);
    else if (byte === listStart || byte === objectStart) depth += 1;
    else if (depth === 0 && (byte === comma || byte === listEnd || byte === objectEnd)) return at;
    else if (byte === listEnd || byte === objectEnd) depth -= 1;
  }
  return bytes.length;
}

/** Returns the offset of the closing quote. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Returns the place and the description of the mistake in a file that is not a list of rows; `row` is a
 * row that is not JSON.
 */
function describeMistake(
  bytes: SharedBytes,
  file: string,
  row: { readonly offset: number; readonly error: unknown } | null,
): [place: string, message: string] {
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    if (row === null) return [file, notRows];
    return [`${file}:${new LineNumbers(bytes).at(row.offset)}`, describe(row.error)];
  }
  const text = bufferOf(bytes).toString("utf8");
  try {
    JSON.parse(text);
    return [file, notRows];
  } catch (error) {
    const line = lineOfMistake(text, error) ?? (row === null ? null : new LineNumbers(bytes).at(row.offset));
    return [line === null ? file : `${file}:${line}`, describe(error)];
  }
}

const notRows = "the file must contain an array of rows: [ … ].";

/**
 * Describes an error without its position, and without the part of the text that V8 quotes: it
 * may contain a password.
 */
function describe(error: unknown): string {
  const reason = errorMessage(error)
    .replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, "")
    .replace(/(?: in JSON)? at position \d+ \(line \d+ column \d+\)$/, "");
  return `this is not JSON: ${reason}.`;
}

function lineOfMistake(text: string, error: unknown): number | null {
  const reported = /\(line (\d+) column \d+\)$/.exec(String(error))?.[1];
  return reported === undefined ? lineOfToken(text) : Number(reported);
}

/**
 * Finds the line of an unexpected token, which V8 does not report. Null for a text that nests too deeply: the
 * parser is recursive.
 */
function lineOfToken(text: string): number | null {
  let firstLine = Number.POSITIVE_INFINITY;
  const onError = (_code: number, _offset: number, _length: number, startLine: number): void => {
    firstLine = Math.min(firstLine, startLine + 1);
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return Number.isFinite(firstLine) ? firstLine : 1;
}
