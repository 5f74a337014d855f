import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The variables of a `.env` file. Adds a sentence to `problems` if it cannot be read, and one for each line that sets nothing. */
export function parseEnvFile(path: string, problems: string[]): Record<string, string> {
  try {
    // Windows editors start a file with a byte order mark, which would become part of the first name.
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    for (const line of strayLines(text))
      problems.push(`--env-file ${path}: line ${line} must be written NAME=VALUE.`);
    const variables: Record<string, string> = {};
    for (const [name, value] of Object.entries(parseEnv(text))) variables[name] = value ?? "";
    return variables;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    problems.push(`--env-file ${path}: cannot be read (${code}).`);
    return {};
  }
}

const quotedValue = /^([^\S\n]*(?:export[^\S\n]+)?[^\s=#]+[^\S\n]*=)[^\S\n]*(["'`])[^]*?\2/gm;
const setsNothing = /^(?!(?:export\s+)?[^\s=]+\s*=)[^#\s]/;

/** The numbers of lines that are neither a variable, part of a quoted value, a comment nor empty. Node skips them silently. */
function strayLines(text: string): number[] {
  const onOneLine = text.replace(quotedValue, (value, name: string) => name + value.replace(/[^\n]/g, ""));
  return onOneLine.split("\n").flatMap((line, index) => (setsNothing.test(line.trim()) ? [index + 1] : []));
}
