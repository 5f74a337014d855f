import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import type { Feed, FeedDeclaration, FeedFile, RowSchema } from "@bearhug/sdk";

import { shownPath } from "../test-file/source-lines.ts";
import { shareRows, type LoadedFeeds } from "./loaded-feeds.ts";
import { unreadableRows, type ParsedRows, type RowProblem } from "./parsed-rows.ts";
import { parseCsv } from "./parse-csv.ts";
import { parseJson, parseNdjson } from "./parse-json.ts";

type DeclaredFeeds = Readonly<Record<string, FeedDeclaration>>;

/** More of the same say nothing new. */
const mostProblemsPerFeed = 20;

/** Reads the feeds of a test whose declarations are valid. `folder` is what their paths are relative to. */
export async function readFeeds(feeds: DeclaredFeeds, folder: string): Promise<LoadedFeeds> {
  const rows: Record<string, readonly unknown[]> = {};
  const problems: string[] = [];
  for (const [name, declared] of Object.entries(feeds)) {
    const feed = feedOf(declared);
    const parsed = await parseFeed(feed, folder);
    const valid = await validateRows(parsed, feed.options.schema);
    rows[name] = valid.rows;
    const wrong = [...parsed.problems, ...valid.problems];
    if (wrong.length === 0 && valid.rows.length === 0)
      wrong.push({ place: placeOf(feed, folder), message: "there are no rows." });
    problems.push(...capped(wrong).map((problem) => sentence(name, problem)));
  }
  return problems.length > 0 ? { rows, shared: null, problems } : shareRows(rows);
}

function feedOf(declared: FeedDeclaration): Feed {
  return "format" in declared ? declared : { format: "rows", from: declared, options: {} };
}

/** A comma before the place: a file after `feeds.tokens:` would be masked as a token. */
function sentence(name: string, { place, message }: RowProblem): string {
  return place === null ? `feeds.${name}: ${message}` : `feeds.${name}, ${place}: ${message}`;
}

function capped(problems: readonly RowProblem[]): readonly RowProblem[] {
  if (problems.length <= mostProblemsPerFeed) return problems;
  const rest = problems.length - mostProblemsPerFeed;
  return [
    ...problems.slice(0, mostProblemsPerFeed),
    { place: null, message: `${rest} more rows are wrong.` },
  ];
}

async function parseFeed({ format, from, options }: Feed, folder: string): Promise<ParsedRows> {
  if (isList(from)) return { rows: from, problems: [], placeOf: (index) => `row ${index + 1}` };
  const path = pathOf(from, folder);
  const file = shownPath(path);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const { place, message } = describeUnreadable(error, path, file);
    return unreadableRows(place, message);
  }
  if (format === "csv") return parseCsv(text, file, options);
  return format === "json" ? parseJson(text, file) : parseNdjson(text, file);
}

/** The file of a feed; null if the test holds its rows. */
function placeOf({ from }: Feed, folder: string): string | null {
  return isList(from) ? null : shownPath(pathOf(from, folder));
}

function isList(from: Feed["from"]): from is readonly unknown[] {
  return Array.isArray(from);
}

function pathOf(file: FeedFile, folder: string): string {
  if (typeof file !== "string") return fileURLToPath(file.href);
  return file.startsWith("file:") ? fileURLToPath(file) : resolve(folder, file);
}

function describeUnreadable(error: unknown, path: string, file: string): RowProblem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT")
    return { place: null, message: `there is no file ${path}. Paths are relative to the test's file.` };
  const reason = code === "" ? "" : ` (${code})`;
  return { place: file, message: unreadable[code] ?? `the file cannot be read${reason}.` };
}

const unreadable: Readonly<Record<string, string>> = {
  EISDIR: "this is a folder.",
  ERR_ENCODING_INVALID_ENCODED_DATA: "this is not UTF-8. Save it as UTF-8.",
};

/** The rows as a schema gives them back, and what it says of those that it refuses. */
async function validateRows(
  { rows, placeOf }: ParsedRows,
  schema: RowSchema<unknown> | undefined,
): Promise<Omit<ParsedRows, "placeOf">> {
  if (schema === undefined) return { rows, problems: [] };
  const valid: unknown[] = [];
  const problems: RowProblem[] = [];
  for (const [index, row] of rows.entries()) {
    const verdict = await schema["~standard"].validate(row);
    if (verdict.issues === undefined) valid.push(verdict.value);
    else
      for (const { path, message } of verdict.issues) {
        const keys = (path ?? []).map((key) => String(typeof key === "object" ? key.key : key)).join(".");
        problems.push({ place: placeOf(index), message: keys === "" ? message : `${keys}: ${message}` });
      }
  }
  return { rows: valid, problems };
}
