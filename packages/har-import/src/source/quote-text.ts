/**
 * Invisible characters, and those that change how the text around them is displayed: controls, formats (bidi
 * among them), separators.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const plainName = /^[A-Za-z_$][\w$]*$/;
/** Code that looks like a name but is none: `{ null }` is not an object. */
const literals: readonly string[] = ["null", "true", "false"];

/** Writes a text as a literal of both JSON and JavaScript: the only way for a capture's text into code. */
export function quoteText(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/** Escapes the invisible characters of JSON. */
export function escapeInvisible(json: string): string {
  return json.replace(invisible, (found) => (found === "\n" ? found : escapeUnits(found)));
}

/**
 * Writes a name as the key of an object literal. `__proto__` is computed: otherwise it would set the
 * prototype.
 */
function quoteKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return plainName.test(name) ? name : quoteText(name);
}

/** Writes the member of an object that has this name. */
export function memberOf(object: string, name: string): string {
  return plainName.test(name) ? `${object}.${name}` : `${object}[${quoteText(name)}]`;
}

/** Code of a value with the value's name. */
export type NamedCode = readonly [name: string, code: string];

/** Writes an object literal of names and code; a name that is its own code is written once. */
export function objectOf(members: Iterable<NamedCode>): string {
  const written = Array.from(members, ([name, code]) => {
    const key = quoteKey(name);
    const isName = plainName.test(name) && !literals.includes(code);
    return key === code && isName ? key : `${key}: ${code}`;
  });
  return written.length === 0 ? "{}" : `{ ${written.join(", ")} }`;
}

/** Writes values as pairs of name and value. */
export function pairsOf(named: readonly NamedCode[]): string {
  return listOf(named.map(([name, code]) => listOf([quoteText(name), code])));
}

/**
 * Writes values as an object literal, several of one name as a list; null if the literal would change their
 * order: values of one name are not adjacent, or names are numbers, which come first.
 */
export function objectInOrder(named: readonly NamedCode[]): string | null {
  const groups = Object.entries(Object.fromEntries(Map.groupBy(named, ([name]) => name)));
  if (!groups.flatMap(([, group]) => group).every((one, index) => one === named[index])) return null;
  return objectOf(groups.map(([name, group]) => [name, oneOrList(group.map(([, code]) => code))] as const));
}

/** Writes one value as it is, and several as a list. */
export function oneOrList(codes: readonly string[]): string {
  const [first = "", ...others] = codes;
  return others.length === 0 ? first : listOf(codes);
}

/** Writes an array literal. */
export function listOf(codes: readonly string[]): string {
  return `[${codes.join(", ")}]`;
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index++) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

const width = 77;

/** Writes a text as comment lines. Removes all that could end a comment, hide in it or direct a tool. */
export function writeComment(text: string): string {
  const lines: string[] = [];
  for (const word of safeWords(text)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `// ${line}\n`).join("");
}

/** Returns the words of a text, reduced to harmless characters. */
function safeWords(text: string): string[] {
  return text
    .replace(/ ?[;—]+/g, ", ")
    .replace(/[^\w.,:/%'-]+/g, (other) => (/^["`()]+$/.test(other) ? "" : " "))
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.slice(0, width));
}
