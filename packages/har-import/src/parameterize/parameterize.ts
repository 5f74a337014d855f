import { capitalized } from "@bearhug/text/capitalized";

import type { CapturedRequest, CaptureModel, DataTable, CapturedBody, JsonShape } from "../capture-model.ts";
import { type AtomPlace, mapRequest, mapRequests, requestsOf } from "../map-atoms.ts";
import { isStaticFile } from "../static-file.ts";
import { UniqueNames } from "../unique-names.ts";
import { type Atom, knownText, type Value, withValue, textOf } from "../value.ts";

/** Two may be alike by chance. */
const minRequests = 3;
/** Places whose values are data. Headers only affect the form of a response. */
const dataKinds: ReadonlySet<string> = new Set(["path", "query", "form", "json", "multipart"]);

/**
 * Takes the values of requests that differ in nothing else from a table: a row for each request, in recorded
 * order. Values of one request stay together in a row. Only plain text becomes data: no secret, and no
 * extracted value.
 */
export function parameterize(model: CaptureModel): CaptureModel {
  const atoms = atomsByRequest(model);
  const names = new TableNames();
  const tables: DataTable[] = [];
  const cells = new Map<CapturedRequest, ReadonlyMap<number, Value>>();
  for (const requests of groupByShape(atoms.keys())) {
    const rows = requests.map((request) => atoms.get(request) ?? []);
    const varying = findVarying(rows);
    if (varying.length === 0) continue;
    const table = makeTable(names.take(nameOf(requests[0])), varying, rows);
    tables.push(table);
    for (const [row, request] of requests.entries()) {
      const parts = varying.map(({ number }, at): [number, Value] => [
        number,
        [{ kind: "column", table: table.name, column: table.columns[at] ?? "", row }],
      ]);
      cells.set(request, new Map(parts));
    }
  }
  const changed = mapRequests(model, (request) => {
    const values = cells.get(request);
    return values === undefined ? request : withValues(request, values);
  });
  return { ...changed, tables: [...model.tables, ...tables] };
}

function groupByShape(requests: Iterable<CapturedRequest>): CapturedRequest[][] {
  const left = [...requests].filter((request) => !isStaticFile(request) && request.address === undefined);
  return [...Map.groupBy(left, shapeOf).values()].filter((group) => group.length >= minRequests);
}

/** Returns the atoms that are text in every request, but not the same in all. */
function findVarying(rows: readonly (readonly RequestAtom[])[]): readonly RequestAtom[] {
  const [first = []] = rows;
  return first.filter(({ kind, number }) => {
    if (!dataKinds.has(kind)) return false;
    const values = rows.map((row) => textAt(row, number));
    return !values.includes(null) && new Set(values).size > 1;
  });
}

function textAt(row: readonly RequestAtom[], number: number): string | null {
  const atom = row[number]?.atom;
  return atom === undefined ? null : knownText(atom.value);
}

function makeTable(
  name: string,
  varying: readonly RequestAtom[],
  rows: readonly (readonly RequestAtom[])[],
): DataTable {
  const names = new TableNames();
  return {
    name,
    columns: varying.map(({ atom, kind }) => names.take(kind === "path" ? toSingular(atom.name) : atom.name)),
    rows: rows.map((row) => varying.map(({ number }) => textAt(row, number) ?? "")),
  };
}

/** Returns the last segment that is the same in all requests: `products` of `/api/products/5`. */
function nameOf(request: CapturedRequest | undefined): string {
  const fixed = request?.path.filter((segment, index) => !isBlank(segment, index));
  return fixed?.map(textOf).findLast((text) => text !== "") ?? "";
}

function toSingular(name: string): string {
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

/** An atom of a request, by its number in it. */
interface RequestAtom {
  readonly atom: Atom;
  readonly kind: AtomPlace["kind"];
  readonly number: number;
}

/** Returns the atoms of each request, in the order of sending. */
function atomsByRequest(model: CaptureModel): Map<CapturedRequest, RequestAtom[]> {
  return new Map(
    requestsOf(model).map((request) => {
      const atoms: RequestAtom[] = [];
      mapRequest(request, (atom, kind) => {
        atoms.push({ atom, kind, number: atoms.length });
        return atom;
      });
      return [request, atoms] as const;
    }),
  );
}

/**
 * Returns a request with other values, by the number of their atoms. They may choose another page, so where it
 * ends is checked by its path alone.
 */
function withValues(request: CapturedRequest, values: ReadonlyMap<number, Value>): CapturedRequest {
  let number = 0;
  const changed = mapRequest(request, (atom) => withValue(atom, values.get(number++) ?? atom.value));
  const { landingQuery, ...rest } = changed;
  return landingQuery === undefined ? changed : rest;
}

const longest = 30;
/** Windows has devices of these names. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Makes names that are identifiers and file names on any system: each is unique, whatever its case. */
export class TableNames {
  readonly #names = new UniqueNames({ ignoresCase: true });

  take(preferred: string): string {
    return this.#names.take(toName(preferred));
  }
}

function toName(preferred: string): string {
  const words = preferred.slice(0, 200).match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() + word.slice(1) : capitalized(word)))
    .join("")
    .replace(/^\d+/, "")
    .slice(0, longest);
  if (joined === "") return "values";
  return devices.test(joined) ? `${joined}Rows` : joined;
}

/** Returns a key for the shape of a request: requests of one shape differ only in their values. */
function shapeOf({ method, origin, path, query, referer, body, recordedStatus }: CapturedRequest): string {
  return JSON.stringify([
    method,
    origin,
    path.map(shapeOfSegment),
    query.map(({ name }) => name),
    referer === null ? null : [referer.path.length, referer.query.map(({ name }) => name)],
    body === null ? null : shapeOfBody(body),
    // With another row, the response must be of the same kind.
    recordedStatus,
  ]);
}

/**
 * Returns true for a segment that identifies one object of many: a number, an id or, after other segments,
 * words like `red-shoes`.
 */
function isBlank({ value }: Atom, index: number): boolean {
  const text = knownText(value);
  return text === null || /\d/.test(text) || (index > 0 && /[^A-Za-z]/.test(text));
}

function shapeOfSegment(segment: Atom, index: number): string | null {
  return isBlank(segment, index) ? null : knownText(segment.value);
}

function shapeOfBody(body: CapturedBody): unknown {
  switch (body.kind) {
    case "json":
      return ["json", shapeOfJson(body.root)];
    case "form":
      return ["form", body.fields.map(({ name }) => name)];
    case "multipart":
      return [
        "multipart",
        body.parts.map(({ atom, fileName, contentType }) => [atom.name, fileName, contentType]),
      ];
    case "text":
      return ["text", body.text.value];
    case "bytes":
      return ["bytes", body.base64];
  }
}

function shapeOfJson(shape: JsonShape): unknown {
  switch (shape.kind) {
    case "literal":
      return shape.value;
    case "string":
    case "number":
      return shape.kind;
    case "list":
      return ["list", shape.items.map(shapeOfJson)];
    case "object":
      return ["object", shape.fields.map(([key, value]) => [key, shapeOfJson(value)])];
  }
}
