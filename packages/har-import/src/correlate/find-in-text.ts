import { isHarmlessNeighbour } from "../secrets/harmless-neighbour.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import { ofLengths, visitWords, wordKind } from "../secrets/words-in-text.ts";
import { hasShortId, isStableName } from "./names.ts";
import type { IsWanted, ReportSighting } from "./source.ts";

/**
 * Words that may be values: letters and digits, perhaps with the characters of base64 and of tokens with
 * dots.
 */
const kinds = [
  wordKind(/[\w-]/, (length) => length >= 4),
  wordKind(/[\w+/=.~:%-]/, (length) => length >= 8),
] as const;
/** Most values of one text that are located: each costs a search through all of it. */
const maxFound = 20;
const maxLeft = 40;
const minLeft = 5;
/** A shorter neighbour may easily occur in the page a second time. */
const comfortableLeft = 8;
/** Starts of a left neighbour: a tag, an attribute, a word. */
const beginning = /[<{"'][A-Za-z]|(?<![\w-])[A-Za-z]/g;
/** The name before a value: `data-review="`, `"token":"`, `/orders/`, `token = '`. */
const nameAtEnd = /([A-Za-z][\w-]{1,40})["']?\s{0,3}[=:>/]\s{0,3}["']?$/;

/** HTML elements that describe how text looks rather than what it is. In XML, the element is the name. */
const layout = /^(a|b|code|dd|div|em|h\d|i|li|p|pre|samp|small|span|strong|td|th|tt|u)$/i;

/** Finds the places of wanted words in a text. @param lengths The lengths of all wanted values. */
export function findWords(
  text: string,
  lengths: ReadonlySet<number>,
  isWanted: IsWanted,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const kind of kinds) {
    // The length alone rules out most words.
    visitWords(text, ofLengths(kind, lengths), (start, end) => {
      const word = text.slice(start, end);
      if (!isWanted(word)) return false;
      const places = found.get(word);
      if (places !== undefined) places.push(start);
      else if (found.size < maxFound) found.set(word, [start]);
      else return true;
      return false;
    });
  }
  return found;
}

/**
 * Reports wanted values in a text, each with the neighbours that locate it. @param lengths The lengths of all
 * wanted values.
 */
export function findInText(
  text: string,
  lengths: ReadonlySet<number>,
  isWanted: IsWanted,
  report: ReportSighting,
): void {
  const found = findWords(text, lengths, isWanted);
  for (const [value, places] of found) {
    const neighbours = places.slice(0, maxFound).flatMap((start) => findNeighbours(text, start, value));
    // A named neighbour marks a value as data; any other is wording that may change.
    const best = neighbours.find(({ name }) => name !== "") ?? neighbours[0];
    if (best === undefined) continue;
    const { left, right, name } = best;
    report({ value, from: { between: [left, right] }, name, within: "", isOneOfMany: false });
  }
}

interface Neighbours {
  readonly left: string;
  readonly right: string;
  readonly name: string;
}

/**
 * Returns the neighbours of a value on its line: the shortest left one that occurs only once. They contain no
 * values.
 */
function findNeighbours(text: string, start: number, value: string): Neighbours[] {
  const line = text.slice(Math.max(0, start - maxLeft), start).replace(/^.*[\r\n]/s, "");
  const right = /^[^\w]/.exec(text.slice(start + value.length, start + value.length + 1))?.[0];
  if (right === undefined || value.includes(right)) return [];
  const lefts = Array.from(line.matchAll(beginning), ({ index }) => line.slice(index)).toReversed();
  const long = lefts.filter(({ length }) => length >= comfortableLeft);
  for (const left of [
    ...long,
    ...lefts.filter(({ length }) => length >= minLeft && length < comfortableLeft),
  ]) {
    if (!isStable(left) || !isHarmlessNeighbour(left)) continue;
    const first = text.indexOf(left);
    if (first + left.length !== start || text.includes(left, first + 1)) continue;
    const name = nameAtEnd.exec(left)?.[1] ?? "";
    return [{ left, right, name: isStableName(name) && !layout.test(name) ? name : "" }];
  }
  return [];
}

function isStable(left: string): boolean {
  const parts = left.match(/[\w+/.~-]+/g) ?? [];
  return (
    /[A-Za-z]{3}/.test(left) &&
    !/\d{3}|.@./.test(left) &&
    !parts.some((part) => isDistinctive(part) || hasShortId(part))
  );
}
