import { parseEnv } from "node:util";

/**
 * What a `.env.example` becomes when a test needs these variables too: it is kept as it is, and those that it does not
 * have are added below. Null when it has them all.
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
