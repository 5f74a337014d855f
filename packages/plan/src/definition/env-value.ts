import type { EnvValue } from "@bearhug/sdk";
import type { envTypes } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";
import { parseDuration } from "../validation/duration.ts";

/** The type that the text of a variable is read as. */
export type EnvType = (typeof envTypes)[number];

/**
 * The value of a variable, or its problem: the rest of a sentence that begins with the variable's name.
 * `problem` shows the value; `rule` does not, for secrets.
 */
export type ReadEnvValue = { readonly value: EnvValue } | { readonly problem: string; readonly rule: string };

const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

const examples: Readonly<Record<Exclude<EnvType, "string">, string>> = {
  number: "a number such as 10",
  duration: "a duration such as 30s, 1m30s or 500ms",
  boolean: "true or false",
};

/** Reads the text of an environment variable as its type; durations become milliseconds. */
export function readEnvValue(type: EnvType, text: string): ReadEnvValue {
  if (type === "string") return { value: text };
  const value = readText(type, text.trim());
  if (typeof value === "number" && isRounded(value, text.trim()))
    return { problem: roundedProblem, rule: roundedProblem };
  return value === undefined ? refuse(type, text) : { value };
}

/** Validates a variable's value that the test contains: its default, or the value for a scenario. */
export function validateEnvValue(type: EnvType, value: unknown): ReadEnvValue {
  if (type === "duration" && (typeof value === "string" || typeof value === "number")) {
    const milliseconds = readDuration(value);
    return milliseconds === undefined ? refuse(type, value) : { value: milliseconds };
  }
  if (type === "number" && typeof value === "number" && Number.isFinite(value)) return { value };
  if (type === "boolean" && typeof value === "boolean") return { value };
  if (type === "string" && typeof value === "string") return { value };
  return refuse(type, value);
}

const roundedProblem = "is declared as a number, which rounds integers beyond 2^53. Declare it as a string";

function refuse(type: EnvType, value: unknown): ReadEnvValue {
  const rule = `must be ${type === "string" ? "a string" : examples[type]}`;
  return { problem: `${rule}, but is ${showValue(value)}`, rule };
}

function readText(type: Exclude<EnvType, "string">, text: string): EnvValue | undefined {
  if (type === "boolean") return booleans.get(text.toLowerCase());
  if (type === "duration") return readDuration(text);
  return number.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** True if a JavaScript number can't hold all digits of the text: an id would change. */
function isRounded(value: number, text: string): boolean {
  return /^[-+]?\d+$/.test(text) && BigInt(value) !== BigInt(text.replace(/^\+/, ""));
}

function readDuration(value: string | number): number | undefined {
  try {
    return parseDuration(value);
  } catch {
    return undefined;
  }
}
