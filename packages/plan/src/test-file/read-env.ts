import { parseEnv } from "node:util";

import type { EnvValue } from "@bearhug/sdk";
import { didYouMean } from "@bearhug/text/closest-name";
import { isTooCommonToMask } from "@bearhug/text/secrets/plain-words";
import { isSecretVariable } from "@bearhug/text/secrets/secret-names";

import { readEnvValue } from "../definition/env-value.ts";
import type { TestProblem } from "../definition/invalid-test.ts";
import type { ValidatedEnv } from "../definition/declared-env.ts";
import type { ValidatedTest } from "../definition/validated-test.ts";
import { optionProblem } from "./plan-problem.ts";
import { describeUnreadable, readTextFile } from "./text-encoding.ts";

/** The sources of variables, in order of precedence. */
export interface GivenVariables {
  readonly commandLine: Readonly<Record<string, string>>;
  /** The file of `--env-from`. */
  readonly file: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The values of the variables that a test declares, and which of them are secrets. */
export interface TestEnv {
  readonly values: Readonly<Record<string, EnvValue>>;
  readonly secrets: readonly string[];
  /** The optional variables that are not set. */
  readonly unset: readonly string[];
  /** The secret variables whose values may occur in texts by chance. */
  readonly weak: readonly string[];
  readonly problems: readonly TestProblem[];
}

/**
 * Reads the variables that a test declares: from the command line, the file, the environment or the default,
 * in this order of precedence. Every variable that is missing or malformed is a problem.
 */
export function readEnv(declared: ValidatedTest["env"], given: GivenVariables): TestEnv {
  const problems: TestProblem[] = undeclaredVariables(
    Object.keys(declared),
    Object.keys(given.commandLine),
  ).map(optionProblem);
  const values: Record<string, EnvValue> = {};
  const secrets: string[] = [];
  const unset: string[] = [];
  const weak: string[] = [];
  for (const [name, declaration] of Object.entries(declared)) {
    const { optional, secret } = declaration;
    const read = readVariable(name, declaration, given);
    if ("problem" in read) {
      const code = read.isMissing === true ? "MISSING_VARIABLE" : "INVALID_OPTION";
      problems.push({ code, path: `env.${name}`, message: read.problem });
      continue;
    }
    values[name] = read.value;
    if (optional && read.value === "") unset.push(name);
    if (!secret) continue;
    secrets.push(String(read.value));
    if (typeof read.value === "string" && read.value !== "" && isTooCommonToMask(read.value)) weak.push(name);
  }
  return { values, secrets, unset, weak, problems };
}

function readVariable(
  name: string,
  declaration: ValidatedEnv,
  given: GivenVariables,
): { readonly value: EnvValue } | { readonly problem: string; readonly isMissing?: true } {
  const { type, default: fallback, optional, secret, description } = declaration;
  const text = givenText(name, declaration, given);
  if (text !== undefined && (text !== "" || mayBeEmpty(declaration))) {
    const read = readEnvValue(type, text);
    if ("value" in read) return read;
    return { problem: `${name} ${secret ? read.rule : read.problem}.` };
  }
  if (optional) return { value: "" };
  if (fallback !== null) return { value: fallback };
  const what = description === null ? "" : ` (${description})`;
  const state = text === "" ? "is empty" : "is not set";
  return {
    problem: `${name}${what} ${state}: the test needs it. Set it in the environment, or with ${secret ? "--env-from FILE" : `--env ${name}=…`}`,
    isMissing: true,
  };
}

/** CI systems pass unset variables as empty, and a secret is never empty. */
function mayBeEmpty({ type, secret }: ValidatedEnv): boolean {
  return type === "string" && !secret;
}

/** Returns the text that is given for a variable; undefined if there is none. */
export function givenText(
  name: string,
  declaration: ValidatedEnv,
  { commandLine, file, environment }: GivenVariables,
): string | undefined {
  const inFile = file[name];
  // Lines of a file that nobody has filled in, as in a copy of .env.example, do not hide the environment.
  const isFilledIn = inFile !== "" || (mayBeEmpty(declaration) && !declaration.optional);
  return commandLine[name] ?? (isFilledIn ? inFile : undefined) ?? environment[name] ?? inFile;
}

/** Returns a sentence for each variable of the command line that the test does not declare. */
function undeclaredVariables(declared: readonly string[], given: readonly string[]): string[] {
  return given
    .filter((name) => !declared.includes(name))
    .map((name) => {
      const known = declared.length === 0 ? "It declares none." : `It declares ${declared.join(", ")}.`;
      return `--env ${name}: the test declares no such variable. ${didYouMean(name, declared, known)}`;
    });
}

/** Shorter values are rarely secrets, whatever the name of their variable. */
const minSecretLength = 8;

/**
 * Returns the values of variables whose names mark them as secrets: they are masked before the test's own
 * declarations are known.
 */
export function secretsByName(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    isSecretVariable(name) &&
    !/^(?:OLD)?PWD$|key(?!$)/i.test(name) &&
    value !== undefined &&
    value.length >= minSecretLength
      ? [value]
      : [],
  );
}

/**
 * Reads the variables of a `.env` file. Adds a sentence to `problems` if it cannot be read, and one for each
 * line that sets no variable.
 */
export function parseEnvFile(path: string, problems: string[]): Record<string, string> {
  try {
    const text = readTextFile(path);
    for (const line of strayLines(text))
      problems.push(`--env-from ${path}: line ${line} must be written NAME=VALUE.`);
    const variables: Record<string, string> = {};
    for (const [name, value] of Object.entries(parseEnv(text))) variables[name] = value ?? "";
    return variables;
  } catch (error) {
    problems.push(`--env-from ${path}: ${describeUnreadable(error)}`);
    return {};
  }
}

const quotedValue = /^([^\S\n]*(?:export[^\S\n]+)?[^\s=#]+[^\S\n]*=)[^\S\n]*(["'`])[^]*?\2/gm;
const setsNothing = /^(?!(?:export\s+)?[^\s=]+\s*=)[^#\s]/;

/**
 * Returns the numbers of lines that are neither a variable, part of a quoted value, a comment nor empty. Node
 * skips them silently.
 */
function strayLines(text: string): number[] {
  const onOneLine = text.replace(quotedValue, (value, name: string) => name + value.replace(/[^\n]/g, ""));
  return onOneLine.split("\n").flatMap((line, index) => (setsNothing.test(line.trim()) ? [index + 1] : []));
}
