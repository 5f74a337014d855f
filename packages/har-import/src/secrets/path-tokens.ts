import { isPlainWords, isAmbiguousName, isSecretName, type Span } from "@bearhug/sdk/internal";
import { looksSecret } from "./secret-looks.ts";
import { isStaticFileName } from "../static-file.ts";

/** Segments followed by a token that lets in whoever knows it. */
const tokenSegment =
  /^(reset|verify|verification|confirm|confirmation|activate|activation|invite|invitation|unsubscribe|magic|magic-link)$/i;
/** Behind `/session/` or `/auth/` stand words too, such as `oauth2`. */
const madeUp = /^(?=.{6})(?=.*\d)(?![A-Za-z]+\d?$)/s;
/** Folders of files that are built: what is random in their addresses is a version. */
const staticFolder = /^(?:_next|_nuxt|_framework|_app|static|assets|dist|bundles)$/i;
/** A file's name in pieces: of what is built, one of them is a hash. */
const builtName = /^[\w-]+(?:\.[\w-]+)+\.[a-z][a-z\d]{1,11}$/i;

/** Returns true for the path of a file that is the same for everybody: what is random in it is a version. */
export function isBuiltPath(segments: readonly string[]): boolean {
  const last = segments.at(-1) ?? "";
  const isInFolder = segments.slice(0, -1).some((segment) => staticFolder.test(segment));
  return isInFolder || isStaticFileName(last) || (builtName.test(last) && !last.split(".").some(looksSecret));
}

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
