import { parseEnv } from "node:util";

/** A `.env` with values for a test's variables. */
export interface EnvValues {
  readonly text: string;
  /** Names of the variables whose values no `.env` can hold. */
  readonly unwritable: readonly string[];
  /** Names that were there already, with another value. What is written last holds. */
  readonly changed: readonly string[];
}

/** Adds values to what a `.env` holds already: its own lines stay as they are. */
export function addValues(existing: string | null, values: Readonly<Record<string, string>>): EnvValues {
  const known: Readonly<Record<string, string | undefined>> = parseEnv(existing ?? "");
  const missing = Object.entries(values).filter(([name, value]) => known[name] !== value);
  const lines = missing.map(([name, value]) => ({ name, line: writeLine(name, value) }));
  const written = lines.flatMap(({ line }) => (line === null ? [] : [line])).join("");
  const before = existing ?? "";
  return {
    text: before === "" || before.endsWith("\n") ? before + written : `${before}\n${written}`,
    unwritable: lines.flatMap(({ name, line }) => (line === null ? [name] : [])),
    changed: missing.flatMap(([name]) => (Object.hasOwn(known, name) && known[name] !== "" ? [name] : [])),
  };
}

/** The line in the first spelling that is read as the value again; null where none is. */
function writeLine(name: string, value: string): string | null {
  const spellings = ["", "'", '"', "`"].map((quote) => `${name}=${quote}${value}${quote}\n`);
  return spellings.find((line) => isReadAs(line, name, value)) ?? null;
}

/** A quote without its end would take the lines behind it along. */
function isReadAs(line: string, name: string, value: string): boolean {
  const read = Object.entries(parseEnv(`${line}_=_\n`));
  return read.length === 2 && read[0]?.[0] === name && read[0][1] === value && read[1]?.[1] === "_";
}
