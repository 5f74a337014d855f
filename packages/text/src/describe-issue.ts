import type * as z from "zod";

import { closestName } from "./closest-name.ts";
import { quote } from "./printable.ts";

/** Describes a problem that zod found, as the rest of a sentence that begins with the path of the value. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  const actual = showValue(issue.input);
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? issue.expected}, but is ${actual}`;
    case "too_small":
      return describeTooSmall(issue.origin, issue.minimum, issue.inclusive ?? true, actual);
    case "too_big":
      return `must be ${issue.maximum} or less, but is ${actual}`;
    case "invalid_value":
      return describeChoice(issue.values.map(String), issue.input);
    case "invalid_union":
      return describeChoice(textsOf(issue.options), propertyOf(issue.input, issue.discriminator));
    case "invalid_key":
      return issue.issues[0]?.message ?? "has a name that is not allowed";
    case "invalid_format":
      return `must be written as ${issue.format}, but is ${actual}`;
    case "custom":
    case "invalid_element":
    case "not_multiple_of":
    case "unrecognized_keys":
      return `can't be ${actual}`;
  }
}

/** A problem with a part of a value, as the rest of a sentence that begins with the part's path. */
export interface Predicate {
  readonly path: readonly PropertyKey[];
  readonly predicate: string;
}

/** Splits a described issue: one problem, or one for each unknown option. */
export function predicatesOf(issue: z.core.$ZodIssue): Predicate[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, predicate: issue.message }];
  // `optionsObject` writes one line for each unknown key
  const predicates = issue.message.split("\n");
  return issue.keys.map((key, index) => ({
    path: [...issue.path, key],
    predicate: predicates[index] ?? "is not known",
  }));
}

/** Describes a value for a sentence: shortened, and always on one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return quote(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Promise) return "a promise: don't make the function async";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
  tuple: "an array",
  null: "null",
};

function describeTooSmall(
  origin: string,
  minimum: number | bigint,
  isInclusive: boolean,
  actual: string,
): string {
  if (origin === "array" || origin === "string") return "must not be empty";
  const bound = isInclusive ? `${minimum} or more` : `greater than ${minimum}`;
  return `must be ${bound}, but is ${actual}`;
}

function describeChoice(choices: readonly string[], actual: unknown): string {
  const quoted = choices.map((choice) => quote(choice)).join(", ");
  const sentence = `must be ${choices.length === 1 ? quoted : `one of ${quoted}`}, but is ${showValue(actual)}`;
  const closest = typeof actual === "string" ? closestName(actual, choices) : undefined;
  return closest === undefined ? sentence : `${sentence}: did you mean ${quote(closest)}?`;
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

function propertyOf(value: unknown, key: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
