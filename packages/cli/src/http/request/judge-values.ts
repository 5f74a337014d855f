import { isIterable } from "./pairs.ts";
import { describe, invalid, isPlain } from "./request-fault.ts";

/** @throws {RequestFault} unless names have texts, or lists of them */
export function judgeHeaders(headers: unknown): void {
  judgeNamed("headers", headers, "{ name: value }", judgeHeader);
}

/** Of a query or a form. @throws {RequestFault} unless names have texts, numbers, booleans, or lists of them */
export function judgeFields(option: "params" | "form", fields: unknown): void {
  judgeNamed(option, fields, textAdvice[option], judgeField);
}

/** Validates the names of parts; their values are validated where a part is made. @throws {RequestFault} unless parts have names */
export function judgeParts(multipart: unknown): void {
  judgeNamed("multipart", multipart, "{ name: value }", acceptAny);
}

const authOptions = {
  basic: ["username", "password"],
  digest: ["username", "password"],
  "aws-sigv4": ["region", "service", "accessKeyId", "secretAccessKey", "sessionToken"],
} as const;

/** @throws {RequestFault} unless it says who asks, or "none" */
export function judgeAuth(auth: unknown): void {
  if (auth === "none") return;
  const shape =
    'auth must be { bearer }, { username, password }, { type: "digest", … }, { type: "aws-sigv4", … } or "none"';
  if (!isPlain(auth)) throw invalid(`${shape}, but is ${describe(auth)}.`);
  const { type = "basic" } = auth;
  if (type !== "basic" && type !== "digest" && type !== "aws-sigv4")
    throw invalid(`${shape}, but has an unknown type.`);
  const options: readonly string[] = "bearer" in auth ? ["bearer"] : authOptions[type];
  for (const name in auth) {
    if (options.includes(name) || (name === "type" && options[0] !== "bearer")) continue;
    const besides = options[0] === "bearer" ? " besides bearer" : "";
    throw invalid(`${shape}, but has ${JSON.stringify(name)}${besides}.`);
  }
  for (const name of options) {
    const isLeftOut = name === "sessionToken" && auth[name] === undefined;
    if (!isLeftOut) judgeText(`auth.${name}`, auth[name]);
  }
}

/** @throws {RequestFault} unless it is texts by name */
export function judgeTags(tags: unknown): void {
  if (!isPlain(tags))
    throw invalid(
      `tags must be an object of names and values, but is ${describe(tags)}: give { name: value }.`,
    );
  for (const name in tags) judgeText(`tags: ${JSON.stringify(name)}`, tags[name]);
}

/** @throws {RequestFault} unless it is a status, a range of them, or a list of these */
export function judgeExpect(expect: unknown): void {
  if (!Array.isArray(expect)) {
    judgeStatuses(expect);
    return;
  }
  if (expect.length === 0) throw invalid("expect must not be an empty array: no status would be expected.");
  for (const one of expect as readonly unknown[]) judgeStatuses(one);
}

function judgeStatuses(statuses: unknown): void {
  if (isStatus(statuses)) return;
  const shape = "expect must be a status such as 200, { min, max } or an array of these";
  if (!isPlain(statuses)) throw invalid(`${shape}, but is ${describe(statuses)}.`);
  const { min, max } = statuses;
  if (!isStatus(min) || !isStatus(max)) {
    throw invalid(`${shape}, but has min ${describe(min)} and max ${describe(max)}.`);
  }
  if (min > max) throw invalid(`expect: min must not be above max, but they are ${min} and ${max}.`);
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value);
}

function judgeHeader(_option: string, name: string, value: unknown): void {
  if (typeof value === "string") return;
  throw invalid(
    `headers: ${JSON.stringify(name)} must be a string or an array of strings, but is ${describe(value)}${adviceFor(value)}.`,
  );
}

const textAdvice = {
  params: "{ name: value }; write a query string in the URL",
  form: "{ name: value }; for a form as a string, use body and set content-type in headers",
} as const;

function judgeField(option: string, name: string, value: unknown): void {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
    case "undefined":
      return;
    case "object":
    case "bigint":
    case "function":
    case "symbol":
      throw invalid(
        `${option}: ${JSON.stringify(name)} must be a string, a number, a boolean, or an array of these, but is ${describe(value)}${adviceForField(value)}.`,
      );
  }
}

function adviceForField(value: unknown): string {
  if (value === null) return ": undefined leaves it out";
  return value instanceof Blob ? ": send files with multipart" : adviceFor(value);
}

function judgeText(place: string, value: unknown): void {
  if (typeof value !== "string")
    throw invalid(`${place} must be a string, but is ${describe(value)}${adviceFor(value)}.`);
}

/** The hint for a value that is almost a text: how to make it one. */
function adviceFor(value: unknown): string {
  const isNear = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return isNear ? ": give String(value)" : "";
}

type Judge = (option: string, name: string, value: unknown) => void;

const acceptAny: Judge = () => undefined;

/** Judges each value of an object or of pairs, and each item where a value is a list. */
function judgeNamed(option: string, fields: unknown, shape: string, judge: Judge): void {
  if (isPlain(fields)) {
    for (const name in fields) judgeEach(option, name, fields[name], judge);
    return;
  }
  const kind = describe(fields);
  if (typeof fields !== "object" || fields === null || !isIterable(fields))
    throw invalid(`${option} must be an object of names and values, but is ${kind}: give ${shape}.`);
  for (const pair of fields) {
    if (!isPair(pair))
      throw invalid(`${option} must be names and values, but is ${kind} of other things: give ${shape}.`);
    judgeEach(option, pair[0], pair[1], judge);
  }
}

function judgeEach(option: string, name: string, value: unknown, judge: Judge): void {
  if (!Array.isArray(value)) judge(option, name, value);
  else for (const one of value as readonly unknown[]) judge(option, name, one);
}

function isPair(value: unknown): value is readonly [name: string, value: unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}
