import { describeValue, isPlain } from "@bearhug/text/describe-value";

import { isIterable } from "./pairs.ts";
import { invalid } from "./request-fault.ts";

/** @throws {RequestFault} unless the values are strings, or arrays of strings */
export function validateHeaders(headers: unknown): void {
  validateNamed("headers", headers, "{ name: value }", validateHeader);
}

/**
 * Validates the fields of a query or a form.
 * @throws {RequestFault} unless the values are strings, numbers, booleans, or arrays of these
 */
export function validateFields(option: "params" | "form", fields: unknown): void {
  validateNamed(option, fields, textAdvice[option], validateField);
}

/**
 * Validates the names of parts. Their values are validated when the parts are created.
 * @throws {RequestFault} unless all parts have names
 */
export function validateParts(multipart: unknown): void {
  validateNamed("multipart", multipart, "{ name: value }", acceptAny);
}

/** @throws {RequestFault} unless `tags` is an object with string values */
export function validateTags(tags: unknown): void {
  if (!isPlain(tags))
    throw invalid(
      `tags must be an object of names and values, but is ${describeValue(tags)}: give { name: value }.`,
    );
  for (const name in tags) validateText(`tags: ${JSON.stringify(name)}`, tags[name]);
}

function validateHeader(_option: string, name: string, value: unknown): void {
  if (typeof value === "string") return;
  const advice =
    value === undefined || value === null ? ": leave it out if it has no value" : adviceFor(value);
  throw invalid(
    `headers: ${JSON.stringify(name)} must be a string or an array of strings, but is ${describeValue(value)}${advice}.`,
  );
}

const textAdvice = {
  params: "{ name: value }; write a query string in the URL",
  form: "{ name: value }; for a form as a string, use body and set content-type in headers",
} as const;

function validateField(option: string, name: string, value: unknown): void {
  switch (typeof value) {
    case "number":
      if (Number.isNaN(value))
        throw invalid(`${option}: ${JSON.stringify(name)} is NaN: leave it out with undefined.`);
      return;
    case "string":
    case "boolean":
    case "undefined":
      return;
    case "object":
    case "bigint":
    case "function":
    case "symbol":
      throw invalid(
        `${option}: ${JSON.stringify(name)} must be a string, a number, a boolean, or an array of these, but is ${describeValue(value)}${adviceForField(value)}.`,
      );
  }
}

function adviceForField(value: unknown): string {
  if (value === null) return ": undefined leaves it out";
  return value instanceof Blob ? ": send files with multipart" : adviceFor(value);
}

function validateText(place: string, value: unknown): void {
  if (typeof value !== "string")
    throw invalid(`${place} must be a string, but is ${describeValue(value)}${adviceFor(value)}.`);
}

/** Returns the hint how to convert a value that is almost a string. */
function adviceFor(value: unknown): string {
  const isNear = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return isNear ? ": give String(value)" : "";
}

type Validate = (option: string, name: string, value: unknown) => void;

const acceptAny: Validate = () => undefined;

/** Validates each value of an object or of pairs, and each item of a value that is an array. */
function validateNamed(option: string, fields: unknown, shape: string, validate: Validate): void {
  if (isPlain(fields)) {
    for (const name in fields) validateEach(option, name, fields[name], validate);
    return;
  }
  const kind = describeValue(fields);
  if (typeof fields !== "object" || fields === null || !isIterable(fields))
    throw invalid(`${option} must be an object of names and values, but is ${kind}: give ${shape}.`);
  for (const pair of fields) {
    if (!isPair(pair))
      throw invalid(`${option} must be names and values, but is ${kind} of other things: give ${shape}.`);
    validateEach(option, pair[0], pair[1], validate);
  }
}

function validateEach(option: string, name: string, value: unknown, validate: Validate): void {
  if (!Array.isArray(value)) validate(option, name, value);
  else for (const one of value as readonly unknown[]) validate(option, name, one);
}

function isPair(value: unknown): value is readonly [name: string, value: unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}
