import { bodyKind } from "@bearhug/plan/body-kind";
import type { BodyExcerpt } from "@bearhug/sdk/result";
import type { Mask } from "@bearhug/text/secret-mask";

import { charsetOf, decodeBody, DecodingFailure } from "../response/decode-body.ts";
import { inOwnMemory, SharedBody, type ReceivedBody } from "../response/shared-body.ts";
import type { RequestBody } from "../transport/wire-body.ts";

const maxCharacters = 512;
/** More than is shown, so that a secret is found whole and masked before the text is cut. */
const searchedBytes = 16 * 1024;
/** A longer compressed body has no excerpt: it would have to be decompressed. */
const maxCompressedBytes = 64 * 1024;
const maxDecodedBytes = 1024 * 1024;

/** The type and encoding of a body. */
export interface BodyForm {
  readonly contentType: string;
  readonly contentEncoding: string;
}

/** Returns the beginning of a body that was sent; null if there was none. */
export function requestExcerpt(body: RequestBody | null, form: BodyForm, mask: Mask): BodyExcerpt | null {
  if (body === null) return null;
  if (!(body instanceof Uint8Array)) return { text: null, isWhole: false, bytes: body.length };
  return excerpt([body], body.length, form, mask);
}

/** Returns the beginning of a received body of `bodyBytes` on the wire; null if there was none. */
export function responseExcerpt(
  body: ReceivedBody | null,
  bodyBytes: number,
  form: BodyForm,
  mask: Mask,
): BodyExcerpt | null {
  if (bodyBytes === 0) return null;
  if (body === null) return { text: null, isWhole: false, bytes: bodyBytes };
  return excerpt(body instanceof SharedBody ? [body.wire] : body, bodyBytes, form, mask);
}

function excerpt(
  pieces: readonly Uint8Array[],
  bytes: number,
  { contentType, contentEncoding }: BodyForm,
  mask: Mask,
): BodyExcerpt {
  const plain = decoded(pieces, bytes, contentEncoding);
  const text = plain === null ? null : textOf(plain.subarray(0, searchedBytes), contentType);
  if (plain === null || text === null) return { text: null, isWhole: false, bytes };
  const hasAll = plain.length <= searchedBytes && bytes === sizeOf(pieces);
  const shown = mask.excerpt(text, maxCharacters, { isFragment: !hasAll, kind: bodyKind(contentType) });
  return { text: shown.text, isWhole: hasAll && !shown.isCut, bytes };
}

/** Returns the first bytes of the body, or all of it if it is compressed; null if it cannot be decoded. */
function decoded(pieces: readonly Uint8Array[], bytes: number, contentEncoding: string): Uint8Array | null {
  if (contentEncoding === "") return inOwnMemory(beginningOf(pieces));
  if (bytes > maxCompressedBytes || sizeOf(pieces) < bytes) return null;
  try {
    return decodeBody(inOwnMemory(pieces), contentEncoding, maxDecodedBytes);
  } catch (error) {
    if (error instanceof DecodingFailure) return null;
    throw error;
  }
}

/** Returns one byte more than is searched, so that a longer body is recognized. */
function beginningOf(pieces: readonly Uint8Array[]): Uint8Array[] {
  const beginning: Uint8Array[] = [];
  let left = searchedBytes + 1;
  for (const piece of pieces) {
    if (left === 0) break;
    const taken = piece.subarray(0, left);
    beginning.push(taken);
    left -= taken.length;
  }
  return beginning;
}

/** Returns null for bytes that are not text in their charset. */
function textOf(bytes: Uint8Array, contentType: string): string | null {
  const decoder = new TextDecoder(charsetOf(bytes, contentType), { fatal: true });
  try {
    // The last character may be cut.
    const text = decoder.decode(bytes, { stream: true });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
