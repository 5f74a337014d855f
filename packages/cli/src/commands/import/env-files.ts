import { parseEnv } from "node:util";

/** A `.env` with values for a test's variables. */
export interface EnvValues {
  readonly text: string;
  /** Names of the variables whose values no `.env` can hold. */
  readonly unwritable: readonly string[];
  /** Names that were there already, with another value. What is written last holds. */
  readonly changed: readonly string[];
}

/** Adds values to what a `.env` holds already: its own lines stay as they are, and mean what they meant. */
export function addValues(existing: string | null, values: Readonly<Record<string, string>>): EnvValues {
  const before = existing ?? "";
  const known = parseEnv(before);
  const missing = Object.entries(values).filter(([name, value]) => known[name] !== value);
  const unwritable: string[] = [];
  let text = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  for (const [name, value] of missing) {
    const longer = findSpelling(text, name, value);
    if (longer === null) unwritable.push(name);
    else text = longer;
  }
  const isChanged = (name: string): boolean => Object.hasOwn(known, name) && known[name] !== "";
  return { text, unwritable, changed: missing.flatMap(([name]) => (isChanged(name) ? [name] : [])) };
}

/** The text with a line in the first spelling that is read as the value again; null where none is. */
function findSpelling(before: string, name: string, value: string): string | null {
  const texts = ["", "'", '"', "`"].map((quote) => `${before}${name}=${quote}${value}${quote}\n`);
  const wanted = { ...parseEnv(before), [name]: value };
  // Last in the file or not: an open quote takes lines below along, and at the end loses a space.
  return (
    texts.find((text) => isReadAs(text, wanted) && isReadAs(`${text}_=_\n`, { ...wanted, _: "_" })) ?? null
  );
}

function isReadAs(text: string, wanted: Readonly<Record<string, string | undefined>>): boolean {
  const read = parseEnv(text);
  const names = Object.keys(read);
  return (
    names.length === Object.keys(wanted).length && names.every((name) => Object.is(read[name], wanted[name]))
  );
}

/**
 * Adds a test's variables to a `.env.example`. What is there stays as it is, and missing variables are added below.
 * Null if it has them all.
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
