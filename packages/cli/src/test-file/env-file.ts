import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The variables of a `.env` file; a file that cannot be read is a problem. */
export function parseEnvFile(path: string, problems: string[]): Record<string, string> {
  try {
    const variables: Record<string, string> = {};
    for (const [name, value] of Object.entries(parseEnv(readFileSync(path, "utf8"))))
      variables[name] = value ?? "";
    return variables;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    problems.push(`--env-file ${path}: cannot be read (${code}).`);
    return {};
  }
}
