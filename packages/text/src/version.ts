import { readFileSync } from "node:fs";

/** The version of this package, from its package.json. */
export const version: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL(import.meta.resolve("#package.json")), "utf8");
  const found = /"version":\s*"([^"]+)"/.exec(text)?.[1];
  if (found === undefined) throw new TypeError("package.json has no version");
  return found;
}
