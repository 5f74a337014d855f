import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serialize } from "node:v8";

import type { Feed, FeedDeclaration, FeedFile, RowSchema } from "@bearhug/sdk";
import { attempt, errorCode } from "@bearhug/text/caught-error";
import { SecretSearch } from "@bearhug/text/data-secrets";
import { isSecretName } from "@bearhug/text/secrets/secret-names";

import {
  countRows,
  type CsvFeed,
  type JsonFeed,
  type SerializedFeed,
  type SharedBytes,
  type SharedFeed,
  type SharedFeeds,
} from "../protocol/shared-feeds.ts";
import { displayPath } from "../test-file/source-lines.ts";
import { GrowingBytes, readSharedText } from "./feed-bytes.ts";
import { rowReader } from "./open-rows.ts";
import { indexCsv } from "./parse-csv.ts";
import { addNames, indexJson, indexNdjson } from "./parse-json.ts";
import { LineNumbers, RowProblems, type RowProblem } from "./row-problems.ts";
import { RowStartsWriter, type IndexedRows } from "./row-starts.ts";

type DeclaredFeeds = Readonly<Record<string, FeedDeclaration>>;

/** Later rows of larger feeds are searched when they are handed out. */
const maxSearchedForSecrets = 50_000;

/** The feeds of a test, and a sentence for each mistake in them. */
export interface ReadFeeds {
  readonly feeds: SharedFeeds;
  readonly problems: readonly string[];
}

/** Reads the feeds of a test whose declarations are valid. Their paths are relative to `folder`. */
export async function readFeeds(declared: DeclaredFeeds, folder: string): Promise<ReadFeeds> {
  const byName: Record<string, SharedFeed> = {};
  const secrets = new SecretSearch(maxSearchedForSecrets);
  const sentences: string[] = [];
  for (const [name, declaration] of Object.entries(declared)) {
    const problems = new RowProblems();
    const source = { name, ...feedOf(declaration), folder, secrets, problems };
    const feed = await readFeed(source);
    if (problems.isEmpty && (feed === null || countRows(feed) === 0))
      problems.add(placeOf(source), "there are no rows.");
    if (feed !== null) byName[name] = feed;
    sentences.push(...problems.all().map((problem) => sentence(name, problem)));
  }
  const feeds = { byName, secrets: secrets.found(), hasAllSecrets: !secrets.isOver };
  return { feeds, problems: sentences };
}

interface FeedSource extends Feed {
  readonly name: string;
  readonly folder: string;
  readonly secrets: SecretSearch;
  readonly problems: RowProblems;
}

function feedOf(declared: FeedDeclaration): Feed {
  return "format" in declared ? declared : { format: "rows", from: declared, options: {} };
}

/** Puts a comma before the place: a file after `feeds.tokens:` would be masked as a token. */
function sentence(name: string, { place, message }: RowProblem): string {
  return place === null ? `feeds.${name}: ${message}` : `feeds.${name}, ${place}: ${message}`;
}

async function readFeed(source: FeedSource): Promise<SharedFeed | null> {
  const { from, options, name, secrets, problems } = source;
  if (isList(from)) {
    const rows = await validateList(from, options.schema, problems);
    secrets.search(name, rows);
    return problems.isEmpty ? shareList(rows, problems) : null;
  }
  const indexed = await indexFile(source, from);
  if (indexed === null) return null;
  if (options.schema !== undefined) return convertRows(source, indexed, options.schema);
  if (indexed.feed.format === "csv" && problems.isEmpty) searchCsv(indexed.feed, secrets);
  return indexed.feed;
}

/** Finds the rows of a feed's file. Returns null if there is a problem with the file as a whole. */
async function indexFile(source: FeedSource, from: FeedFile): Promise<IndexedRows<FileFeed> | null> {
  const { name, format, folder, options, secrets, problems } = source;
  const path = pathOf(from, folder);
  const file = displayPath(path);
  let bytes: SharedBytes;
  try {
    bytes = await readSharedText(path);
  } catch (error) {
    const { place, message } = describeUnreadable(error, path, file);
    problems.add(place, message);
    return null;
  }
  if (format === "csv") return indexCsv(bytes, file, options, problems);
  const index = format === "json" ? indexJson : indexNdjson;
  return index(bytes, file, problems, (row) => {
    if (options.schema === undefined) secrets.search(name, row);
  });
}

type FileFeed = CsvFeed | JsonFeed;

type SchemaVerdict = Awaited<ReturnType<RowSchema<unknown>["~standard"]["validate"]>>;

/** In a CSV, only the name of its column can mark a value as secret. */
function searchCsv(feed: CsvFeed, secrets: SecretSearch): void {
  if (!feed.columns.some(isSecretName)) return;
  const read = rowReader(feed);
  for (let index = 0; index < countRows(feed) && !secrets.isOver; index += 1) secrets.search("", read(index));
}

/** Returns the file of a feed for display; null if the test itself contains the rows. */
function placeOf({ from, folder }: FeedSource): string | null {
  return isList(from) ? null : displayPath(pathOf(from, folder));
}

function isList(from: Feed["from"]): from is readonly unknown[] {
  return Array.isArray(from);
}

function pathOf(file: FeedFile, folder: string): string {
  if (typeof file !== "string") return fileURLToPath(file.href);
  return file.startsWith("file:") ? fileURLToPath(file) : resolve(folder, file);
}

function describeUnreadable(error: unknown, path: string, file: string): RowProblem {
  const code = errorCode(error) ?? "";
  if (code === "ENOENT")
    return { place: null, message: `there is no file ${path}. Paths are relative to the test's file.` };
  const reason = code === "" ? "" : ` (${code})`;
  return { place: file, message: unreadable[code] ?? `the file cannot be read${reason}.` };
}

const unreadable: Readonly<Record<string, string>> = {
  EISDIR: "this is a folder.",
  ERR_ENCODING_INVALID_ENCODED_DATA: "this is not UTF-8. Save it as UTF-8: in Excel, as CSV UTF-8.",
  IS_ZIP: "this is an Excel workbook or another archive. Save its rows as CSV UTF-8.",
  IS_GZIP: "this is compressed. Unpack it with gunzip.",
};

async function validateList(
  list: readonly unknown[],
  schema: RowSchema<unknown> | undefined,
  problems: RowProblems,
): Promise<readonly unknown[]> {
  if (schema === undefined) return list;
  const valid: unknown[] = [];
  for (const [index, row] of list.entries()) {
    const verdict = await schema["~standard"].validate(row);
    if (verdict.issues === undefined) valid.push(verdict.value);
    else addIssues(verdict.issues, `row ${index + 1}`, problems);
  }
  return valid;
}

function shareList(rows: readonly unknown[], problems: RowProblems): SharedFeed | null {
  const serialized = attempt(() => serialize(rows));
  if (serialized === null) {
    const at = rows.findIndex((row) => attempt(() => serialize(row)) === null);
    problems.add(null, uncopyable(at));
    return null;
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(serialized.length));
  bytes.set(serialized);
  return { format: "list", bytes, rows: rows.length };
}

/** Keeps rows as the schema returns them: it may convert values, and all workers must see the same ones. */
async function convertRows(
  source: FeedSource,
  { feed, wrong }: IndexedRows<FileFeed>,
  schema: RowSchema<unknown>,
): Promise<SerializedFeed> {
  const { name, secrets, problems } = source;
  const read = rowReader(feed);
  const lines = new LineNumbers(feed.bytes);
  const bytes = new GrowingBytes(feed.bytes.length);
  const starts = new RowStartsWriter(feed.bytes.length, Number.POSITIVE_INFINITY);
  const columns = new Set<string>();
  for (let index = 0; index < countRows(feed); index += 1) {
    if (wrong.has(index)) continue;
    const place = (): string => {
      const line = `${placeOf(source) ?? ""}:${lines.at(feed.starts[index] ?? 0)}`;
      return source.format === "json" ? `${line}, row ${index + 1}` : line;
    };
    const verdict = await schema["~standard"].validate(read(index));
    if (verdict.issues !== undefined) {
      addIssues(verdict.issues, place, problems);
      continue;
    }
    const serialized = attempt(() => serialize(verdict.value));
    if (serialized === null) {
      problems.add(place, uncopyable(index));
      continue;
    }
    secrets.search(name, verdict.value);
    addNames(verdict.value, columns);
    starts.add(bytes.length);
    bytes.append(serialized);
  }
  return {
    format: "serialized",
    bytes: bytes.written(),
    starts: starts.finish(bytes.length),
    columns: [...columns],
  };
}

function addIssues(
  issues: NonNullable<SchemaVerdict["issues"]>,
  place: string | (() => string),
  problems: RowProblems,
): void {
  for (const { path, message } of issues) {
    const keys = (path ?? []).map((key) => String(typeof key === "object" ? key.key : key)).join(".");
    problems.add(place, keys === "" ? message : `${keys}: ${message}`);
  }
}

function uncopyable(index: number): string {
  return `row ${index + 1} cannot be copied to the workers. Give plain data.`;
}
