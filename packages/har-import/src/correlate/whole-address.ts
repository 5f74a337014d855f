import { isSecretName } from "@bearhug/text/secrets/secret-names";
import type { CapturedRequest } from "../capture-model.ts";
import { percentDecode } from "../parse-pairs.ts";
import { findEmails } from "../secrets/emails.ts";
import { isTokenSegment } from "../secrets/path-tokens.ts";
import { isDistinctive, isUuid } from "../secrets/random-text.ts";
import { findSecretLooks } from "../secrets/secret-looks.ts";
import { findWellKnown } from "../secrets/secret-shapes.ts";
import { isStaticFile, isStaticFileName } from "../static-file.ts";
import { knownText, textOf, type Atom } from "../value.ts";

/**
 * Returns the address of a request as a response may have contained it, with the origin and without. Returns
 * none for an address of words and plain ids, which is easier to read in parts, and none for a path that
 * begins with two slashes, which would name a host.
 */
export function addressesOf(request: CapturedRequest): string[] {
  if (isStaticFile(request) || (request.query.length === 0 && !hasGeneratedAddress(request))) return [];
  const path = request.path.map(writtenOf).join("/");
  const query = request.query.map(writtenOf).join("&");
  const address = `/${path}${request.query.length === 0 ? "" : `?${query}`}`;
  return address.startsWith("//") ? [] : [`${request.origin}${address}`, address];
}

/**
 * Returns which segments and parameters, counted through both, an extracted address replaces: all but words.
 */
export function replacedParts(request: CapturedRequest): number[] {
  const segments = request.path.map(writtenOf);
  return [...request.path, ...request.query].flatMap((_, index) => {
    const isWord =
      index < segments.length && !/\d/.test(segments[index] ?? "") && !isRecordingSpecific(segments, index);
    return isWord ? [] : [index];
  });
}

/** Returns true if nobody could have typed the address of a request. */
export function hasGeneratedAddress(request: CapturedRequest): boolean {
  const segments = request.path.map(writtenOf);
  return (
    segments.some((_, index) => isRecordingSpecific(segments, index)) ||
    request.query.some(({ name, value }) => isSecretName(name) || isDistinctive(knownText(value) ?? ""))
  );
}

/** Returns the text of an atom as recorded, or as it is known. */
function writtenOf(atom: Atom): string {
  return atom.written ?? textOf(atom);
}

const milliseconds = /^1\d{12}$/;

/**
 * Returns true if a path segment belongs to this recording only, so that a test sends a different one: a
 * UUID, a time in milliseconds, an e-mail address, a random word, a token after `/reset/`. Names of products
 * and articles (`wireless-keyboard-2000`) and versions of static files do not.
 */
export function isRecordingSpecific(segments: readonly string[], index: number): boolean {
  const text = percentDecode(segments[index] ?? "");
  if (isUuid(text) || milliseconds.test(text) || findEmails(text).length > 0) return true;
  if (isStaticFileName(segments.at(-1) ?? "")) return findWellKnown(text).length > 0;
  return (
    isTokenSegment(text, segments[index - 1] ?? "") || isDistinctive(text) || findSecretLooks(text).length > 0
  );
}
