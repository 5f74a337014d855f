import { requestName } from "@bearhug/text/request-name";
import type { CapturedRequest } from "../capture-model.ts";
import { knownText } from "../value.ts";
import { encodedFields, fieldsObject, isAsWritten } from "./field-list.ts";
import {
  type FileParts,
  type HeaderLine,
  headerLines,
  isFixed,
  keyOf,
  withoutDefaults,
} from "./file-parts.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import { joinOperands, type Operand, operandsOf, valueExpression } from "./value-expression.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Code for one request. */
export interface RequestCode {
  readonly method: string;
  readonly url: string;
  readonly options: readonly (readonly [name: string, code: string])[];
}

/** Methods that `http` has a function for. */
const functions: ReadonlyMap<string, string> = new Map(
  ["get", "post", "put", "patch", "delete", "head", "options"].map((name) => [name.toUpperCase(), name]),
);

export function writeRequest(request: CapturedRequest, parts: FileParts): RequestCode {
  const { vocabulary } = parts;
  const { url, params } = writeAddress(request, vocabulary);
  const body = parts.bodies.get(request) ?? null;
  const lines = headerLines(request, body?.contentType ?? null);
  const name = operationName(request) ?? request.name;
  const referer = writeReferer(request, vocabulary);
  return {
    method: request.method,
    url,
    options: [
      ...(name === null ? [] : [["name", quoteText(name)] as const]),
      ...(params === null ? [] : [["params", params] as const]),
      ...headerOptions(withoutDefaults(lines, new Map(parts.headers.defaults)), referer, parts),
      ...(body === null ? [] : [body.option]),
      ...statusOptions(request),
    ],
  };
}

/** Writes a call of `http`. */
export function callOf({ method, url, options }: RequestCode): string {
  const name = functions.get(method);
  const optionsCode = options.length === 0 ? "" : `, ${objectOf(options)}`;
  return name === undefined
    ? `http.request(${quoteText(method)}, ${url}${optionsCode})`
    : `http.${name}(${url}${optionsCode})`;
}

/** Writes an item of `http.batch`. */
export function batchItemOf({ method, url, options }: RequestCode): string {
  const named = method === "GET" ? [] : [["method", quoteText(method)] as const];
  return named.length + options.length === 0 ? url : objectOf([...named, ["url", url], ...options]);
}

/** Writes `Authorization: Bearer …` as `auth`, headers that repeat by their name, and all others inline. */
function headerOptions(
  lines: readonly HeaderLine[],
  referer: string | null,
  parts: FileParts,
): (readonly [name: string, code: string])[] {
  const bearer = lines.find((line) => bearerToken(line) !== null);
  const token = bearer === undefined ? null : bearerToken(bearer);
  const others = lines.filter((line) => line !== bearer);
  const fixed = others.filter(isFixed);
  const constant = parts.headers.constants.get(keyOf(fixed));
  const unnamed = constant === undefined ? others : others.filter((line) => !isFixed(line));
  const written = [
    ...unnamed.map((line) => [line.name, writeLine(line, parts.vocabulary)] as const),
    ...(referer === null ? [] : [["referer", referer] as const]),
  ];
  const code =
    constant === undefined
      ? objectOf(written)
      : written.length === 0
        ? constant.identifier
        : `{ ...${constant.identifier}, ${objectOf(written).slice(2)}`;
  return [
    ...(others.length === 0 && referer === null ? [] : [["headers", code] as const]),
    ...(token === null
      ? []
      : [["auth", objectOf([["bearer", valueExpression(token, parts.vocabulary)]])] as const]),
  ];
}

export function writeLine({ values }: HeaderLine, vocabulary: Vocabulary): string {
  const codes = values.map((value) => valueExpression(value, vocabulary));
  return codes.length === 1 ? (codes[0] ?? "") : `[${codes.join(", ")}]`;
}

/** Returns the token after `Bearer ` if it is known only when the test runs. */
function bearerToken({ name, values }: HeaderLine): HeaderLine["values"][number] | null {
  const [[scheme, ...token] = [], ...others] = values;
  if (name.toLowerCase() !== "authorization" || others.length > 0) return null;
  const isBearer = scheme?.kind === "text" && scheme.text === "Bearer " && token.length > 0;
  return isBearer && knownText(token) === null ? token : null;
}

/**
 * Writes the options for a status: a recorded error is expected, and a redirect that the browser did not
 * follow is not followed.
 */
function statusOptions({ recordedStatus, redirectedTo }: CapturedRequest): (readonly [string, string])[] {
  if (recordedStatus === null) return [];
  if (recordedStatus >= 400) return [["expect", String(recordedStatus)]];
  return recordedStatus >= 300 && recordedStatus !== 304 && redirectedTo.length === 0
    ? [["redirects", "0"]]
    : [];
}

/**
 * Returns a name with the operation of a GraphQL request: GraphQL has one address for everything. null for
 * other requests.
 */
function operationName({ method, path, query, body }: CapturedRequest): string | null {
  const fields = body?.kind === "json" && body.root.kind === "object" ? body.root.fields : [];
  const shape = fields.find(([key]) => key === "operationName")?.[1];
  const atom = shape?.kind === "string" ? shape.atom : query.find(({ name }) => name === "operationName");
  const operation = atom === undefined ? null : knownText(atom.value);
  if (operation === null || !/^\w{1,100}$/.test(operation)) return null;
  const segments = path.map(({ value, written }) => (knownText(value) === null ? ":id" : (written ?? ":id")));
  return `${requestName(method, `/${segments.join("/")}`)} ${operation}`;
}

/** Code for the address of a request. */
interface AddressCode {
  readonly url: string;
  /** The query, if it is written separately; null if the address has it, or there is none. */
  readonly params: string | null;
}

/** Queries up to this length stay in the address, if nothing in them is encoded. */
const longestPlainQuery = 40;

/**
 * Writes the address of a request exactly as recorded, except for values that are known only when the test
 * runs.
 */
function writeAddress(request: CapturedRequest, vocabulary: Vocabulary): AddressCode {
  const { origin, path, query, address: extracted } = request;
  if (extracted !== undefined) return { url: valueExpression(extracted, vocabulary), params: null };
  const address = writePath({ origin, path }, vocabulary);
  if (query.length === 0) return { url: joinOperands(address), params: null };
  const isPlain = query.every((atom) => isAsWritten(atom) && !/[%+]/.test(atom.written));
  const length = query.reduce((sum, { written }) => sum + 1 + (written ?? "").length, 0);
  const params = isPlain && length <= longestPlainQuery ? null : fieldsObject(query, vocabulary);
  if (params !== null) return { url: joinOperands(address), params };
  return { url: joinOperands([...address, ...writeQuery(query, vocabulary)]), params: null };
}

/**
 * Writes the address of the page that a request came from, which the option `origin` completes; null without
 * one.
 */
function writeReferer({ origin, referer }: CapturedRequest, vocabulary: Vocabulary): string | null {
  if (referer === null) return null;
  const path = writePath({ origin, path: referer.path }, vocabulary);
  return joinOperands([
    ...path,
    ...(referer.query.length === 0 ? [] : writeQuery(referer.query, vocabulary)),
  ]);
}

function writePath(
  { origin, path }: Pick<CapturedRequest, "origin" | "path">,
  vocabulary: Vocabulary,
): Operand[] {
  const base = origin === vocabulary.origin ? pathPrefix(path.map(({ written }) => written)) : origin;
  return [{ text: base }, ...path.flatMap((atom) => writeSegment(atom, vocabulary))];
}

function writeQuery(query: CapturedRequest["query"], vocabulary: Vocabulary): Operand[] {
  return [{ text: "?" }, ...encodedFields(query, vocabulary)];
}

function writeSegment(atom: CapturedRequest["path"][number], vocabulary: Vocabulary): Operand[] {
  if (isAsWritten(atom)) return [{ text: `/${atom.written}` }];
  return [{ text: "/" }, ...operandsOf(atom.value, vocabulary, "segment")];
}

/** Returns the beginning of a path: without a dot, a path that begins with two slashes would name a host. */
function pathPrefix([first, ...others]: readonly (string | null)[]): string {
  return first === "" && others.length > 0 ? "/." : "";
}
