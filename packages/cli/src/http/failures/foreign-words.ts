/** Words of a target are data: cut here, and without what a terminal or a log would obey. */
const mostCharacters = 300;

/**
 * A sentence from elsewhere, harmless wherever it is printed: on one line, control and bidirectional characters
 * escaped, and nothing that reads as a workflow command wherever a line may be broken.
 */
export function harmless(words: string): string {
  const escaped = words
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escape)
    .replaceAll(/::(?=[a-z])/gi, ":\\x3a")
    .replaceAll("##[", "#\\x23[");
  return escaped.length > mostCharacters ? `${escaped.slice(0, mostCharacters)}…` : escaped;
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/** A property of whatever was thrown, where it is a text that can be read. */
export function textOf(thrown: unknown, property: "code" | "name" | "message"): string | null {
  if (typeof thrown !== "object" || thrown === null) return null;
  try {
    const value: unknown = Reflect.get(thrown, property);
    return typeof value === "string" && value !== "" ? value : null;
  } catch {
    return null;
  }
}
