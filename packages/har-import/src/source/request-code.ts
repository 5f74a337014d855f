import type { Extractor } from "@bearhug/sdk";
import { modifyingMethods, plainPath } from "@bearhug/sdk/internal";
import { requestName } from "@bearhug/text/request-name";

import type { CapturedRequest, Extraction, Proof, SessionProof } from "../capture-model.ts";
import { knownText } from "../value.ts";
import { fitsPattern, patternOf, landingAddress } from "../path-pattern.ts";
import {
  encodedFields,
  fieldsObject,
  isAsWritten,
  joinOperands,
  type Operand,
  operandsOf,
  valueExpression,
} from "./value-expression.ts";
import { type FileParts, type HeaderLine, isFixed, keyOf, withoutDefaults } from "./file-parts.ts";
import { listOf, type NamedCode, objectOf, oneOrList, quoteText } from "./quote-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface RequestCode {
  readonly method: string;
  readonly url: string;
  readonly options: readonly NamedCode[];
}

/** Methods that `http` has a function for. */
const functions: ReadonlyMap<string, string> = new Map(
  ["get", "post", "put", "patch", "delete", "head", "options"].map((name) => [name.toUpperCase(), name]),
);

export function writeRequest(request: CapturedRequest, parts: FileParts): RequestCode {
  const { vocabulary } = parts;
  const { url, params } = writeAddress(request, vocabulary);
  const { body, lines } = parts.requests.get(request) ?? { body: null, lines: [] };
  const name = operationName(request) ?? request.name;
  const referer = writeReferer(request, vocabulary);
  return {
    method: request.method,
    url,
    options: [
      ...(name === null ? [] : [["name", quoteText(name)] as const]),
      ...(params === null ? [] : [["params", params] as const]),
      ...headerOptions(withoutDefaults(lines, parts.headers.defaults), referer, parts),
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
function headerOptions(lines: readonly HeaderLine[], referer: string | null, parts: FileParts): NamedCode[] {
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
  return oneOrList(values.map((value) => valueExpression(value, vocabulary)));
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
function statusOptions({
  recordedStatus,
  renewedStatus,
  redirectedTo,
}: CapturedRequest): (readonly [string, string])[] {
  if (recordedStatus === null) return [];
  if (renewedStatus !== null) return [["expect", `[${renewedStatus}, ${recordedStatus}]`]];
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

/**
 * Returns the statuses that a response may have; null if none was recorded. A response from the browser's
 * cache (304) is a full one for a visitor without a cache. If a request of the same wave has a 304
 * (`beside`), a recorded 200 may be either as well. A request whose token had expired may be accepted.
 */
export function expectedStatuses(
  { recordedStatus, renewedStatus }: CapturedRequest,
  beside: ReadonlySet<number | null>,
): readonly number[] | null {
  if (recordedStatus === null || recordedStatus < 100) return null;
  if (renewedStatus !== null) return [renewedStatus, recordedStatus];
  const isCached = recordedStatus === 304 || (recordedStatus === 200 && beside.has(304));
  return isCached ? [200, 304] : [recordedStatus];
}

/** A request whose response may be checked. */
export interface CheckedRequest {
  readonly request: CapturedRequest;
  /** Expected statuses; null if nothing is checked. */
  readonly expected: readonly number[] | null;
  /** Name of the variable with the cookie that the request replaces; null if it replaces none. */
  readonly before: string | null;
}

/**
 * Writes the check of a response: of its status, of where redirects led, and of its proofs; nothing if there
 * is nothing to check.
 */
export function writeCheck(
  response: string,
  { request, expected, before }: CheckedRequest,
  vocabulary: Vocabulary,
): string[] {
  if (expected === null) return [];
  const status = `statusIs(${expected.join(", ")})`;
  const landing = writeLanding(request);
  const proofs = request.proofs.map((proof) => writeProof(proof, before, vocabulary));
  const others = [...(landing === null ? [] : [`...${landing}`]), ...proofs];
  return [`check(${response}, ${others.length === 0 ? status : `{ ...${status}, ${others.join(", ")} }`});`];
}

const typeChecks = { HTML: "isHtml", JSON: "isJson", other: "isNotHtml" } as const;

function writeProof(proof: Proof, before: string | null, vocabulary: Vocabulary): string {
  if (proof.kind === "type") return `...${typeChecks[proof.type]}()`;
  if (proof.kind === "no errors") return "...noJsonErrors()";
  if (proof.kind === "grpc status") return `...grpcStatusIs(${proof.code})`;
  if (proof.kind === "no field") return `...hasNoField(${quoteText(proof.name)})`;
  if (proof.kind === "session") {
    const { cookie } = proof;
    const after = readCookie(proof, vocabulary);
    const name = quoteText(`has ${before === null ? "the" : "a new"} cookie ${cookie}`);
    return `${name}: () => ${after} !== ${before ?? "null"}`;
  }
  return `...jsonFieldIs(${quoteText(proof.name)}, ${JSON.stringify(proof.value)})`;
}

/** Writes code that reads the cookie of a session, before or after the login that begins it. */
export function readCookie({ cookie, url }: SessionProof, vocabulary: Vocabulary): string {
  const { origin, pathname } = new URL(url);
  const isOwn = origin === vocabulary.origin && !pathname.startsWith("//");
  const address = isOwn ? pathname : url;
  return `http.cookies.get(${[cookie, ...(address === "/" ? [] : [address])].map(quoteText).join(", ")})`;
}

function writeLanding(request: CapturedRequest): string | null {
  const { landsOn, method } = request;
  const address = landingAddress(request);
  if (landsOn === null || address === null) return null;
  if (!modifyingMethods.has(method)) return `endsAt(${quoteText(address)})`;
  // A site may also redirect back to a form that it rejects.
  const form = patternOf(request.path);
  const isFormPath = plainPath(form) !== landsOn && fitsPattern(landsOn, plainPath(form));
  return `redirectsTo(${[address, ...(isFormPath ? [form] : [])].map(quoteText).join(", ")})`;
}

/** Writes the extractions from a response, a line each. */
export function writeExtractions(
  response: string,
  extractions: readonly Extraction[],
  vocabulary: Vocabulary,
): string[] {
  return extractions.map(({ name, from }) => {
    const identifier = vocabulary.extracted.get(name) ?? "";
    return `const ${identifier} = extract(${response}, ${writeExtractor(from)});`;
  });
}

function writeExtractor(extractor: Extractor): string {
  const members = Object.entries<string | number | readonly string[]>(extractor);
  return objectOf(members.map(([name, value]) => [name, writeMember(value)] as const));
}

function writeMember(value: string | number | readonly string[]): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? quoteText(value) : listOf(value.map(quoteText));
}
