import { isPlainWords, isAmbiguousName, isSecretName, type Span } from "@bearhug/sdk/internal";
import { isStaticFileName } from "../static-file.ts";

/** Segments followed by a token that lets in whoever knows it. */
const tokenSegment =
  /^(reset|verify|verification|confirm|confirmation|activate|activation|invite|invitation|unsubscribe|magic|magic-link)$/i;
/** Behind `/session/` or `/auth/` stand words too, such as `oauth2`. */
const madeUp = /^(?=.{6})(?=.*\d)(?![A-Za-z]+\d?$)/s;
/** Two segments of a path in any text; the second may be the first of the next two. */
const segments = /\/([A-Za-z][\w-]{2,40})\/(?=([\w.~%+=-]{6,500}))/g;

/** Returns true for a segment that the one before it marks as a token: `/reset/8f3a…`, not `/session/2024-spring`. */
export function isTokenSegment(text: string, before: string): boolean {
  if (!madeUp.test(text)) return false;
  return (
    tokenSegment.test(before) || ((isSecretName(before) || /^share$/i.test(before)) && !isPlainWords(text))
  );
}

/** A name of several meanings stays one: what is found by it is looked for elsewhere only if nobody would type it. */
export function nameOfTokenBehind(before: string): string {
  return isAmbiguousName(before) ? before : `${before}_token`;
}

/** A segment of an address in a text that lets in whoever knows it. */
export interface PathToken extends Span {
  readonly name: string;
}

/** Such segments wherever addresses stand: in a link, a parameter, a title. */
export function findPathTokens(text: string): PathToken[] {
  return Array.from(text.matchAll(segments), ({ index, 0: whole, 1: before = "", 2: token = "" }) => {
    const start = index + whole.length;
    return { start, end: start + token.length, name: before };
  })
    .filter(({ start, end, name }) => isTokenSegment(text.slice(start, end), name))
    .filter(({ start, end }) => !isStaticFileName(text.slice(start, end)))
    .map((token) => ({ ...token, name: nameOfTokenBehind(token.name) }));
}
