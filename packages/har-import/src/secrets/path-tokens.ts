import { isPlainWords } from "@bearhug/text/secrets/plain-words";
import { isAmbiguousName, isSecretName } from "@bearhug/text/secrets/secret-names";
import type { Span } from "@bearhug/text/secrets/span";
import { isStaticFileName } from "../static-file.ts";

/** Segments followed by a token that grants access. */
const tokenSegment =
  /^(reset|verify|verification|confirm|confirmation|activate|activation|invite|invitation|unsubscribe|magic|magic-link)$/i;
/** A word may also follow `/session/` or `/auth/`, such as `oauth2`. */
const tokenLike = /^(?=.{6})(?=.*\d)(?![A-Za-z]+\d?$)/s;
/** Folders of built files: a random part of their addresses is a version. */
const staticFolder = /^(?:_next|_nuxt|_framework|_app|static|assets|dist|bundles)$/i;
/** Extensions of data that is built with a page. What people make and share has other ones. */
const builtEnding =
  /\.(?:json5?|webmanifest|txt|xml|dat|data|bin|mem|br|gz|dll|pdb|blat|symbols|lottie|gl(?:b|tf)|ktx2?|hdr|ftl)$/i;
const maxHash = 19;

/** Returns true for the path of a file that is the same for everybody: a random part of it is a version. */
export function isBuiltPath(segments: readonly string[]): boolean {
  const last = segments.at(-1) ?? "";
  const isInFolder = segments.slice(0, -1).some((segment) => staticFolder.test(segment));
  return isInFolder || isStaticFileName(last) || isBuiltName(last);
}

/**
 * Returns true for a name of words and one hash: `App.Web.4ta3m8i3vq.json`, `manifest-4ta3m8i3.webmanifest`.
 */
function isBuiltName(name: string): boolean {
  if (!builtEnding.test(name)) return false;
  const pieces = name.split(/[._-]/).slice(0, -1);
  const [hash = "", ...others] = pieces.filter((piece) => !/^[A-Za-z]+$/.test(piece));
  return others.length === 0 && hash.length <= maxHash && (hash === "" || pieces.length > 1);
}

/** Two segments of a path in any text; the second may be the first of the next two. */
const segments = /\/([A-Za-z][\w-]{2,40})\/(?=([\w.~%+=-]{6,500}))/g;

/** Returns true for a segment that the one before it marks as a token: `/reset/8f3a…`, not `/session/2024-spring`. */
export function isTokenSegment(text: string, before: string): boolean {
  if (!tokenLike.test(text)) return false;
  return (
    tokenSegment.test(before) || ((isSecretName(before) || /^share$/i.test(before)) && !isPlainWords(text))
  );
}

/**
 * Returns the name of a token. An ambiguous name stays so: a token found by it is searched for elsewhere only
 * if it is random.
 */
export function nameOfTokenAfter(before: string): string {
  return isAmbiguousName(before) ? before : `${before}_token`;
}

/** A path segment in a text that grants access. */
export interface PathToken extends Span {
  readonly name: string;
}

/** Finds path segments that grant access, wherever addresses occur: in a link, a parameter, a title. */
export function findPathTokens(text: string): PathToken[] {
  return Array.from(text.matchAll(segments), ({ index, 0: whole, 1: before = "", 2: token = "" }) => {
    const start = index + whole.length;
    return { start, end: start + token.length, name: before };
  })
    .filter(({ start, end, name }) => isTokenSegment(text.slice(start, end), name))
    .filter(({ start, end }) => !isStaticFileName(text.slice(start, end)))
    .map((token) => ({ ...token, name: nameOfTokenAfter(token.name) }));
}
