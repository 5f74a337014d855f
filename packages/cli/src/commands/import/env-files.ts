import { parseEnv } from "node:util";

/** A `.env` with values for a test's variables. */
export interface EnvValues {
  readonly text: string;
  /** Names of the variables whose values a `.env` cannot express. */
  readonly unwritable: readonly string[];
  /** Names that already had another value. The last line of a name takes effect. */
  readonly changed: readonly string[];
}

/** Adds values to the text of a `.env`. Existing lines stay as they are and keep their meaning. */
export function addValues(existing: string | null, values: Readonly<Record<string, string>>): EnvValues {
  const before = existing ?? "";
  const known = parseEnv(before);
  const missing = Object.entries(values).filter(([name, value]) => known[name] !== value);
  const unwritable: string[] = [];
  let text = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  for (const [name, value] of missing) {
    const longer = addLine(text, name, value);
    if (longer === null) unwritable.push(name);
    else text = longer;
  }
  const isChanged = (name: string): boolean => Object.hasOwn(known, name) && known[name] !== "";
  return { text, unwritable, changed: missing.flatMap(([name]) => (isChanged(name) ? [name] : [])) };
}

/**
 * Returns the text with a line in the first quoting style that parses back to the value; null if none does.
 */
function addLine(before: string, name: string, value: string): string | null {
  const texts = ["", "'", '"', "`"].map((quote) => `${before}${name}=${quote}${value}${quote}\n`);
  const expected = { ...parseEnv(before), [name]: value };
  // The value must also survive with a line below: an open quote would swallow it, and at the end of the file
  // loses a space.
  return (
    texts.find((text) => parsesAs(text, expected) && parsesAs(`${text}_=_\n`, { ...expected, _: "_" })) ??
    null
  );
}

function parsesAs(text: string, expected: Readonly<Record<string, string | undefined>>): boolean {
  const read = parseEnv(text);
  const names = Object.keys(read);
  return (
    names.length === Object.keys(expected).length &&
    names.every((name) => Object.is(read[name], expected[name]))
  );
}

/**
 * Adds a test's missing variables at the end of a `.env.example`; existing lines stay as they are. Null if
 * none is missing.
 */
export function addVariables(existing: string | null, example: string): string | null {
  if (existing === null) return example === "" ? null : example;
  const known = new Set(Object.keys(parseEnv(existing)));
  const missing = example
    .split("\n\n")
    .filter((block) => Object.keys(parseEnv(block)).some((name) => !known.has(name)))
    .map((block) => `${block.trimEnd()}\n`);
  if (missing.length === 0) return null;
  return [...(existing.trim() === "" ? [] : [`${existing.trimEnd()}\n`]), ...missing].join("\n");
}
