import { atomsOfBody, requestsOf } from "../map-atoms.ts";
import type { CapturedRequest, CaptureModel, DataTable } from "../capture-model.ts";
import { Identifiers } from "../identifiers.ts";
import { UniqueNames } from "../unique-names.ts";
import { type FreshPart, type Value, type ValuePart, knownText } from "../value.ts";

/** The names that the code of one test uses for the parts of its capture. */
export interface Vocabulary {
  readonly origin: string;
  readonly identifiers: Identifiers;
  /** By the name of the extraction. */
  readonly extracted: ReadonlyMap<string, string>;
  /** Values that are generated once per iteration, by their id. */
  readonly fresh: ReadonlyMap<string, { readonly identifier: string; readonly part: FreshPart }>;
  /** By the name of the table. */
  readonly tables: ReadonlyMap<string, TableWords>;
  /** Names of long texts that repeat, such as a GraphQL query. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A table of data in the code. */
export interface TableWords {
  readonly table: DataTable;
  readonly identifier: string;
  /** Keys of a row, by column. */
  readonly keys: ReadonlyMap<string, string>;
  /** Names of the rows that requests use, by number. */
  readonly rows: ReadonlyMap<number, string>;
}

/** Gives each part of a model its name in the code. */
export function createVocabulary(model: CaptureModel): Vocabulary {
  const identifiers = new Identifiers();
  const requests = requestsOf(model);
  const parts = [...model.cookies.flatMap(({ value }) => value), ...partsOf(requests)];
  const tables = new Map(
    model.tables.map((table) => [table.name, nameTable(table, parts, identifiers)] as const),
  );
  const fresh = new Map<string, { readonly identifier: string; readonly part: FreshPart }>();
  for (const part of parts) {
    if (part.kind !== "fresh" || part.id === null || fresh.has(part.id)) continue;
    fresh.set(part.id, { identifier: identifiers.take(part.id), part });
  }
  const extractions = requests.flatMap((request) => request.extractions);
  return {
    origin: model.origin,
    identifiers,
    extracted: new Map(extractions.map(({ name }) => [name, identifiers.take(name)] as const)),
    fresh,
    tables,
    texts: nameRepeatedTexts(requests, identifiers),
  };
}

function nameTable(table: DataTable, parts: readonly ValuePart[], identifiers: Identifiers): TableWords {
  const keys = new Identifiers(new UniqueNames({ taken: ["__proto__"] }));
  const numbers = parts.flatMap((part) =>
    part.kind === "column" && part.table === table.name ? [part.row] : [],
  );
  const identifier = identifiers.take(table.name);
  const one = /[^s]s$/.test(identifier) ? identifier.slice(0, -1) : `${identifier}Row`;
  return {
    table,
    identifier,
    keys: new Map(table.columns.map((column) => [column, keys.take(column)] as const)),
    rows: new Map([...new Set(numbers)].map((number) => [number, identifiers.take(one)] as const)),
  };
}

/** Shorter texts are as readable inline. */
const shortest = 80;

/** Names the long texts of JSON bodies that are sent more than once. */
function nameRepeatedTexts(
  requests: readonly CapturedRequest[],
  identifiers: Identifiers,
): Map<string, string> {
  const seen = new Map<string, { readonly name: string; count: number }>();
  const atoms = requests.flatMap(({ body }) => (body?.kind === "json" ? atomsOfBody(body) : []));
  for (const { name, value } of atoms) {
    const text = knownText(value) ?? "";
    const known = seen.get(text);
    if (known !== undefined) known.count++;
    else if (text.length >= shortest) seen.set(text, { name, count: 1 });
  }
  const repeated = [...seen].filter(([, { count }]) => count > 1);
  return new Map(repeated.map(([text, { name }]) => [text, identifiers.take(name || "text")] as const));
}

/** Returns every value of a request. */
function valuesOf({ path, query, headers, referer, body }: CapturedRequest): Value[] {
  const sentFrom = referer === null ? [] : [...referer.path, ...referer.query];
  return [...path, ...query, ...headers, ...sentFrom, ...atomsOfBody(body)].map(({ value }) => value);
}

/** Returns the parts of every value of some requests. */
export function partsOf(requests: readonly CapturedRequest[]): ValuePart[] {
  return requests.flatMap((request) => valuesOf(request).flat());
}

/** Returns the names of the extractions that requests use. */
export function extractedBy(requests: readonly CapturedRequest[]): Set<string> {
  return new Set(partsOf(requests).flatMap((part) => (part.kind === "extracted" ? [part.name] : [])));
}
