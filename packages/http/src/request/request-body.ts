import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import type { Fields, FieldValue, RequestOptions } from "@bearhug/sdk";
import { writeJsonPath } from "@bearhug/sdk/internal";
import { quote } from "@bearhug/text/printable";
import { keysTo, type ValuePart } from "@bearhug/text/value-part";

import type { RequestBody } from "../transport/wire-body.ts";
import { compressBytes, compressStream, type BodyEncoding } from "./compress-body.ts";
import { isStream, encodeMultipart } from "./multipart.ts";
import { pairsOf } from "./pairs.ts";
import { invalid } from "./request-fault.ts";
import { givenValues } from "./request-headers.ts";
import { blobBody, streamBody } from "./streamed-body.ts";

export interface EncodedBody {
  readonly body: RequestBody;
  /** Null if only the test knows the type. */
  readonly contentType: string | null;
  /** Null if it is not compressed. */
  readonly contentEncoding: string | null;
}

/**
 * Encodes the body of a request; null if it has none. `random` chooses the boundary of a multipart body,
 * whose paths are relative to `folder`.
 * @throws {RequestFault} for a body that cannot be sent, and for a `content-length` other than the body's.
 */
export function encodeBody(
  options: RequestOptions,
  random: RandomSource,
  folder: string = process.cwd(),
): EncodedBody | null {
  const { compress } = options;
  if (compress !== undefined) return encodeCompressed(options, compress, random, folder);
  const declared = declaredBytes(options);
  const encoded = encode(options, declared, random, folder);
  const length = encoded === null ? 0 : encoded.body.length;
  if (declared !== null && length !== declared) {
    const has = length === null ? "is sent in chunks" : `has ${length} bytes`;
    throw invalid(`content-length: is ${declared}, but the body ${has}. Leave it out: bearhug sets it.`);
  }
  return encoded;
}

function encodeCompressed(
  options: RequestOptions,
  encoding: BodyEncoding,
  random: RandomSource,
  folder: string,
): EncodedBody {
  for (const name of ["content-length", "content-encoding"]) {
    if (givenValues(options.headers, name).length > 0)
      throw invalid(`${name}: leave it out with compress: bearhug sets it.`);
  }
  const plain = encode(options, null, random, folder);
  if (plain === null) throw invalid("compress: the request has no body to compress.");
  const { body, contentType } = plain;
  const packed = body instanceof Uint8Array ? compressBytes(body, encoding) : compressStream(body, encoding);
  return { body: packed, contentType, contentEncoding: encoding };
}

function encode(
  options: RequestOptions,
  declared: number | null,
  random: RandomSource,
  folder: string,
): EncodedBody | null {
  const { json, form, multipart, body } = options;
  const given = [json, form, multipart, body].filter((value) => value !== undefined).length;
  if (given > 1) throw invalid("A request takes only one of json, form, multipart and body.");
  if (json !== undefined) return uncompressed(bytesOf(jsonText(json)), "application/json");
  const fields = body instanceof URLSearchParams ? body : form;
  if (fields !== undefined)
    return uncompressed(Buffer.from(encodeFields(fields)), "application/x-www-form-urlencoded");
  const parts = isNodeFormData(body) ? body : multipart;
  if (parts !== undefined) {
    if (givenValues(options.headers, "content-type").length > 0) {
      const place = multipart === undefined ? "a FormData" : "multipart";
      throw invalid(`content-type: leave it out with ${place}: bearhug sets it, with the boundary.`);
    }
    return { ...encodeMultipart(parts, random, folder), contentEncoding: null };
  }
  return body === undefined ? null : encodePlain(body, declared);
}

function encodePlain(body: NonNullable<RequestOptions["body"]>, declared: number | null): EncodedBody {
  if (typeof body === "string") return uncompressed(bytesOf(body));
  if (body instanceof Uint8Array) return uncompressed(body);
  if (body instanceof ArrayBuffer) return uncompressed(new Uint8Array(body));
  if (ArrayBuffer.isView(body))
    return uncompressed(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  if (body instanceof Blob)
    return uncompressed(blobBody(body, "the body"), body.type === "" ? null : body.type);
  if (isStream(body)) return uncompressed(streamBody(body, declared, "the body"));
  throw invalid(
    "body: must be a string, bytes, a Blob, a FormData, a URLSearchParams or a stream of bytes; for other values, use json.",
  );
}

export function uncompressed(body: RequestBody, contentType: string | null = null): EncodedBody {
  return { body, contentType, contentEncoding: null };
}

/** Encoding shorter texts is as fast as comparing them; longer ones are not worth the memory. */
const shortestKept = 4096;
const longestKept = 1024 * 1024;

/** The last long text: most tests send the same one repeatedly. */
let kept: { readonly text: string; readonly bytes: Uint8Array } | null = null;

function bytesOf(text: string): Uint8Array {
  if (text.length < shortestKept || text.length > longestKept) return Buffer.from(text);
  if (kept?.text !== text) kept = { text, bytes: Buffer.from(text) };
  return kept.bytes;
}

/**
 * Returns the test's own `content-length` header; null without one.
 * @throws {RequestFault} if it is not a length
 */
export function declaredBytes({ headers }: Pick<RequestOptions, "headers">): number | null {
  const [value, ...others] = givenValues(headers, "content-length");
  if (value === undefined) return null;
  const bytes = Number(value);
  if (others.length > 0 || !/^\d+$/.test(value) || !Number.isSafeInteger(bytes)) {
    throw invalid("content-length: must be one number of bytes. Leave it out: bearhug sets it.");
  }
  return bytes;
}

/** Encodes fields for a form or a query. A list repeats its name for each value; undefined is omitted. */
export function encodeFields(fields: Fields): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of pairsOf<FieldValue | readonly FieldValue[]>(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) encoded.append(name, String(one));
    }
  }
  return encoded.toString();
}

function jsonText(value: unknown): string {
  let text: unknown;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw unwritable(value, error);
  }
  if (typeof text !== "string") throw invalid(`json: a ${typeof value} cannot be written as JSON.`);
  return text;
}

/** Returns a fault instead of the exception of JSON.stringify, unless the test's own code threw that. */
function unwritable(root: unknown, error: unknown): unknown {
  if (error instanceof RangeError) return invalid("json: its value is too large, or nested too deeply.");
  const { place, value, isCircular } = findUnwritable(root);
  if (isCircular)
    return invalid(
      `json: ${place} is an object that contains itself, which JSON cannot write. Leave it out.`,
    );
  if (typeof value !== "bigint") return error;
  return invalid(`json: ${place} is a bigint, which JSON cannot write: give String(value).`);
}

/** Returns the part of a value at which JSON.stringify throws: the last one that it looks at. */
function findUnwritable(root: unknown): {
  readonly place: string;
  readonly value: unknown;
  readonly isCircular: boolean;
} {
  const parts = new Map<unknown, ValuePart>();
  let last: ValuePart = { value: root, key: "", holder: null };
  try {
    JSON.stringify(root, function (this: unknown, name: string, value: unknown) {
      last = { value, key: Array.isArray(this) ? Number(name) : name, holder: parts.get(this) ?? null };
      if (typeof value === "object" && !parts.has(value)) parts.set(value, last);
      return value;
    });
  } catch {
    // It throws again.
  }
  const keys = keysTo(last);
  return {
    place: keys.length === 0 ? "its value" : quote(writeJsonPath(keys)),
    value: last.value,
    isCircular: isWithinItself(last),
  };
}

/** True for a part that is one of the objects that hold it. */
function isWithinItself({ value, holder }: ValuePart): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (let one = holder; one !== null; one = one.holder) if (one.value === value) return true;
  return false;
}

/** Returns the fields of a body that a form can send; of any other body, none. */
export function formFieldsOf({
  form,
  multipart,
  body,
}: Pick<RequestOptions, "form" | "multipart"> & { readonly body?: unknown }): Iterable<
  readonly [name: string, value: unknown]
> {
  if (typeof body === "string") return isUrlEncoded(body) ? new URLSearchParams(body) : [];
  const given = body instanceof URLSearchParams || isNodeFormData(body) ? body : {};
  return pairsOf<unknown>(form ?? multipart ?? given);
}

/** The longest text that is read as a form. */
const longestForm = 65_536;

/** True for a text that may be a form: it has no spaces, quotes, braces or angle brackets. */
function isUrlEncoded(text: string): boolean {
  return text.length <= longestForm && /^[^\s"{}<>=&]+=[^\s"{}<>]*$/.test(text);
}

/** Checks the tag first: Node loads its whole `fetch` on the first use of `FormData`, which takes 20 ms. */
function isNodeFormData(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === "[object FormData]" && body instanceof FormData;
}
