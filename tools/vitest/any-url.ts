import fc from "fast-check";

import { anyCharacter } from "./any-character.ts";

interface Parts {
  readonly withQueryParameters?: boolean;
  readonly withFragments?: boolean;
}

const inSegments = "-._~!$&'()*+,;=:@";
const inQueries = `${inSegments}/?`;

/**
 * Generates any web address: the same examples as fast-check's `webUrl`, which first builds a map of all
 * Unicode characters.
 */
export function anyUrl({
  withQueryParameters = false,
  withFragments = false,
}: Parts = {}): fc.Arbitrary<string> {
  const segment = (size: "small" | "xsmall"): fc.Arbitrary<string> =>
    fc.string({ unit: piecesWith(inSegments), size });
  const path = (segmentSize: "small" | "xsmall", size: "small" | "xsmall"): fc.Arbitrary<string> =>
    fc.array(segment(segmentSize), { size }).map((segments) => segments.map((text) => `/${text}`).join(""));
  const rest = (isIncluded: boolean, mark: string): fc.Arbitrary<string> =>
    isIncluded
      ? fc
          .option(fc.string({ unit: piecesWith(inQueries) }))
          .map((text) => (text === null ? "" : mark + text))
      : fc.constant("");
  return fc
    .tuple(
      fc.constantFrom("http", "https"),
      fc.webAuthority(),
      fc.oneof(path("small", "xsmall"), path("xsmall", "small")),
      rest(withQueryParameters, "?"),
      rest(withFragments, "#"),
    )
    .map(([scheme, authority, ...rests]) => `${scheme}://${authority}${rests.join("")}`);
}

/** Generates letters, digits, these marks and sometimes any other character, escaped as in an address. */
function piecesWith(marks: string): fc.Arbitrary<string> {
  const from = (first: string, num: number): { num: number; build: (index: number) => string } => ({
    num,
    build: (index) => String.fromCodePoint((first.codePointAt(0) ?? 0) + index),
  });
  const plain = fc.mapToConstant(from("a", 26), from("A", 26), from("0", 10), {
    num: marks.length,
    build: (index) => marks.charAt(index),
  });
  const escaped = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }).map(escape, unescape);
  return fc.oneof({ weight: 10, arbitrary: plain }, { weight: 1, arbitrary: escaped });
}

function escape(character: string): string {
  const escaped = encodeURIComponent(character);
  return escaped === character ? `%${character.charCodeAt(0).toString(16)}` : escaped;
}

function unescape(text: unknown): string {
  if (typeof text !== "string") throw new Error("This is no text.");
  return decodeURIComponent(text);
}
