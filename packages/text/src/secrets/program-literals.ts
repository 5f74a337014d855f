import type { Span } from "./span.ts";

/** A slash begins a regular expression if no value can end before it. */
const beforePattern = /(?:^|[(,=:[!&|?{};+>]|\breturn)\s*$/;
const pattern = /\/(?![/*])(?:[^/\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*\])+\/[a-z]*/y;
/** The number of characters before a slash that are checked. */
const maxLookBehind = 20;

/**
 * Finds the contents of a program's string literals, in order; for template literals, the pieces between
 * expressions. Each line is read separately, because a program may be cut anywhere: an unclosed quote ends
 * with its line.
 */
export function findLiterals(program: string): Span[] {
  const found: Span[] = [];
  for (let at = 0; at < program.length;) at = readLine(program, at, found);
  return found;
}

/** Reads one line of a program. Returns the start of the next line. */
function readLine(program: string, first: number, found: Span[]): number {
  /** The brace depths at which the expressions of the surrounding templates end. */
  const templates: number[] = [];
  let depth = 0;
  let at = first;
  const readText = (quote: string): void => {
    const start = at;
    while (at < program.length && program.charAt(at) !== "\n" && program.charAt(at) !== quote) {
      if (quote === "`" && program.startsWith("${", at)) break;
      at += program.charAt(at) === "\\" ? 2 : 1;
    }
    at = Math.min(at, program.length);
    if (at > start) found.push({ start, end: at });
    if (program.charAt(at) === "$") {
      templates.push(depth);
      at += 2;
    } else if (program.charAt(at) === quote) at++;
  };
  while (at < program.length) {
    const character = program.charAt(at);
    if (character === "\n") return at + 1;
    if (character === "/") at = endOfPattern(program, at);
    else at++;
    if (character === '"' || character === "'" || character === "`") readText(character);
    else if (character === "{") depth++;
    else if (character === "}" && templates.at(-1) === depth) {
      templates.pop();
      readText("`");
    } else if (character === "}") depth--;
  }
  return at;
}

/**
 * Returns the end of the regular expression that begins at this slash; if none does, the place after the
 * slash.
 */
function endOfPattern(program: string, at: number): number {
  // The second slash of a comment does not begin a regular expression.
  if (program.charAt(at + 1) === "/") return at + 2;
  if (!beforePattern.test(program.slice(Math.max(0, at - maxLookBehind), at))) return at + 1;
  pattern.lastIndex = at;
  return pattern.test(program) ? pattern.lastIndex : at + 1;
}

/** Returns the literal around a place; undefined if there is none. */
export function literalAt(literals: readonly Span[], at: number): Span | undefined {
  let [low, high] = [0, literals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((literals[middle]?.end ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  const literal = literals[low];
  return literal !== undefined && literal.start <= at ? literal : undefined;
}
