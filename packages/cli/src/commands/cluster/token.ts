import { readFileSync } from "node:fs";

import { errorMessage } from "@bearhug/text/caught-error";

import { Option } from "commander";

/** Shorter tokens could be guessed. */
const minLength = 16;

export function tokenOption(): Option {
  return new Option("--token-file <path>", "read the token from a file; or set BEARHUG_TOKEN").helpGroup(
    "Pods and agents:",
  );
}

/**
 * Returns the token from a file or the environment, never from the command line, which other users of the
 * machine can read. Null if none is given. Adds a sentence to `problems` for an invalid one.
 */
export function readToken(
  path: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | null {
  const [token, name] =
    path === undefined
      ? [environment["BEARHUG_TOKEN"] ?? "", "BEARHUG_TOKEN"]
      : [readText(path, problems), `--token-file ${path}`];
  if (token === null || (token === "" && path === undefined)) return null;
  if (token.length >= minLength && /^[\x21-\x7e]+$/.test(token)) return token;
  problems.push(`${name}: must have at least ${minLength} characters, without spaces.`);
  return null;
}

function readText(path: string, problems: string[]): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    problems.push(`--token-file ${path}: ${errorMessage(error)}.`);
    return null;
  }
}
