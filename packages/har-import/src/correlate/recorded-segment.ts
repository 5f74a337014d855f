import { isTokenSegment } from "../secrets/path-tokens.ts";
import { isStaticFileName } from "../static-file.ts";
import { findEmails } from "../secrets/emails.ts";
import { isDistinctive, isUuid } from "../secrets/random-text.ts";
import { findSecretLooks } from "../secrets/secret-looks.ts";
import { findWellKnown } from "../secrets/secret-shapes.ts";

const milliseconds = /^1\d{12}$/;

/**
 * Whether a segment of a path belongs to the recording alone, so that a test sends another one in its place: a UUID, a
 * time in milliseconds, an e-mail address, what nobody would have typed, what stands behind `/reset/`. Names of products
 * and articles do not (`wireless-keyboard-2000`), nor versions of static files.
 */
export function isOfOneRecording(segments: readonly string[], index: number): boolean {
  const text = decoded(segments[index] ?? "");
  if (isUuid(text) || milliseconds.test(text) || findEmails(text).length > 0) return true;
  if (isStaticFileName(segments.at(-1) ?? "")) return findWellKnown(text).length > 0;
  return (
    isTokenSegment(text, segments[index - 1] ?? "") || isDistinctive(text) || findSecretLooks(text).length > 0
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
