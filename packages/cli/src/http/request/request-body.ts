import type { Fields, RequestOptions } from "@bearhug/sdk";

import type { RandomSource } from "../../pacing/random-source.ts";
import { compressBytes, compressStream, type BodyEncoding } from "./compress-body.ts";
import { isStream } from "./multipart-part.ts";
import { encodeMultipart } from "./multipart.ts";
import { RequestFault } from "./request-fault.ts";
import { givenValues } from "./request-headers.ts";
import { streamBody, type StreamedBody } from "./streamed-body.ts";

export type { StreamedBody };

/** The body of a request as a transport writes it: bytes in memory, or a stream of them. */
export type RequestBody = Uint8Array | StreamedBody;

export interface EncodedBody {
  readonly body: RequestBody;
  /** Null where the test is to say what it sends. */
  readonly contentType: string | null;
  /** Null where it is not compressed. */
  readonly contentEncoding: string | null;
}

/**
 * The body of a request as it goes over the wire; null when it has none. `random` chooses the boundary of a multipart body.
 * @throws {RequestFault} for what cannot be sent, and for a `content-length` that is not the body's.
 */
export function encodeBody(options: RequestOptions, random: RandomSource): EncodedBody | null {
  const { compress } = options;
  if (compress !== undefined) return encodeCompressed(options, compress, random);
  const declared = declaredBytes(options);
  const encoded = encode(options, declared, random);
  const length = encoded === null ? 0 : encoded.body.length;
  if (declared !== null && length !== declared) {
    const has = length === null ? "is sent in chunks" : `has ${length} bytes`;
    throw invalid(
      `content-length: ${declared} was given, and the body ${has}. Leave it out: it is written for you.`,
    );
  }
  return encoded;
}

function encodeCompressed(
  options: RequestOptions,
  encoding: BodyEncoding,
  random: RandomSource,
): EncodedBody {
  for (const name of ["content-length", "content-encoding"]) {
    if (givenValues(options.headers, name).length > 0)
      throw invalid(`${name}: leave it out with compress: it is written for you.`);
  }
  const plain = encode(options, null, random);
  if (plain === null) throw invalid("compress: the request has no body to compress.");
  const { body, contentType } = plain;
  const packed = body instanceof Uint8Array ? compressBytes(body, encoding) : compressStream(body, encoding);
  return { body: packed, contentType, contentEncoding: encoding };
}

function encode(options: RequestOptions, declared: number | null, random: RandomSource): EncodedBody | null {
  const { json, form, multipart, body } = options;
  const given = [json, form, multipart, body].filter((value) => value !== undefined).length;
  if (given > 1) throw invalid("A request takes one of json, form, multipart and body, not several.");
  if (json !== undefined)
    return { body: bytesOf(jsonText(json)), contentType: "application/json", contentEncoding: null };
  if (form !== undefined) {
    return {
      body: Buffer.from(encodeFields(form)),
      contentType: "application/x-www-form-urlencoded",
      contentEncoding: null,
    };
  }
  if (multipart !== undefined) {
    if (givenValues(options.headers, "content-type").length > 0) {
      throw invalid(
        "content-type: leave it out with multipart: it names the boundary, and is written for you.",
      );
    }
    return { ...encodeMultipart(multipart, random), contentEncoding: null };
  }
  if (body === undefined) return null;
  if (typeof body === "string") return { body: bytesOf(body), contentType: null, contentEncoding: null };
  if (body instanceof Uint8Array) return { body, contentType: null, contentEncoding: null };
  if (isStream(body))
    return { body: streamBody(body, declared, "the body"), contentType: null, contentEncoding: null };
  throw invalid("body: must be a text, a Uint8Array or a stream of them; for anything else there is json.");
}

/** Shorter texts are encoded as fast as they are compared; longer ones are not worth the memory. */
const shortestKept = 4096;
const longestKept = 1024 * 1024;

/** The last long text: most tests send the same one again and again. */
let kept: { readonly text: string; readonly bytes: Uint8Array } | null = null;

function bytesOf(text: string): Uint8Array {
  if (text.length < shortestKept || text.length > longestKept) return Buffer.from(text);
  if (kept?.text !== text) kept = { text, bytes: Buffer.from(text) };
  return kept.bytes;
}

/** What the header `content-length` says, where a test gives it. */
function declaredBytes({ headers }: RequestOptions): number | null {
  const [value, ...others] = givenValues(headers, "content-length");
  if (value === undefined) return null;
  const bytes = Number(value);
  if (others.length > 0 || !/^\d+$/.test(value) || !Number.isSafeInteger(bytes)) {
    throw invalid("content-length: must be one number of bytes. Leave it out: it is written for you.");
  }
  return bytes;
}

/** Fields as in a form or a query; a list writes its name once for each value, undefined is left out. */
export function encodeFields(fields: Fields): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) encoded.append(name, String(one));
    }
  }
  return encoded.toString();
}

function jsonText(value: unknown): string {
  const text: unknown = JSON.stringify(value);
  if (typeof text !== "string") throw invalid(`json: a ${typeof value} cannot be written as JSON.`);
  return text;
}

function invalid(sentence: string): RequestFault {
  return new RequestFault("INVALID_REQUEST", sentence);
}
