import { describe, invalid, isPlain } from "./plain-value.ts";

/** @throws {RequestFault} unless names have texts, or lists of them */
export function judgeHeaders(headers: unknown): void {
  if (!isPlain(headers)) throw noRecord("headers", headers, "{ name: value }");
  for (const name in headers) {
    const value = headers[name];
    if (!Array.isArray(value)) judgeHeader(name, value);
    else for (const one of value as readonly unknown[]) judgeHeader(name, one);
  }
}

/** Of a query or a form. @throws {RequestFault} unless names have texts, numbers, booleans, or lists of them */
export function judgeFields(option: "params" | "form", fields: unknown): void {
  if (!isPlain(fields)) throw noRecord(option, fields, textAdvice[option]);
  for (const name in fields) {
    const value = fields[name];
    if (!Array.isArray(value)) judgeField(option, name, value);
    else for (const one of value as readonly unknown[]) judgeField(option, name, one);
  }
}

/** What a part is, is judged where it is made. @throws {RequestFault} unless parts have names */
export function judgeParts(multipart: unknown): void {
  if (!isPlain(multipart)) throw noRecord("multipart", multipart, "{ name: value }");
}

/** @throws {RequestFault} unless it is a token, or a user with a password */
export function judgeAuth(auth: unknown): void {
  const shape = "auth must be { bearer } or { username, password }";
  if (!isPlain(auth)) throw invalid(`${shape}, but is ${describe(auth)}.`);
  const isBearer = "bearer" in auth;
  for (const name in auth) {
    const isKnown = isBearer ? name === "bearer" : name === "username" || name === "password";
    if (!isKnown)
      throw invalid(`${shape}, but has ${JSON.stringify(name)}${isBearer ? " besides bearer" : ""}.`);
  }
  if (isBearer) judgeText("auth.bearer", auth["bearer"]);
  else {
    judgeText("auth.username", auth["username"]);
    judgeText("auth.password", auth["password"]);
  }
}

/** @throws {RequestFault} unless it is texts by name */
export function judgeTags(tags: unknown): void {
  if (!isPlain(tags)) throw noRecord("tags", tags, "{ name: value }");
  for (const name in tags) judgeText(`tags: ${JSON.stringify(name)}`, tags[name]);
}

/** @throws {RequestFault} unless it is a status, a range of them, or a list of these */
export function judgeExpect(expect: unknown): void {
  if (!Array.isArray(expect)) {
    judgeStatuses(expect);
    return;
  }
  if (expect.length === 0) throw invalid("expect must not be an empty list: no status would be expected.");
  for (const one of expect as readonly unknown[]) judgeStatuses(one);
}

function judgeStatuses(statuses: unknown): void {
  if (isStatus(statuses)) return;
  const shape = "expect must be a status such as 200, { min, max } or a list of these";
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

function judgeHeader(name: string, value: unknown): void {
  if (typeof value === "string") return;
  throw invalid(
    `headers: ${JSON.stringify(name)} must be a text, or a list of texts, but is ${describe(value)}${adviceFor(value)}.`,
  );
}

const pairs = [Map, Headers, URLSearchParams, FormData] as const;

const textAdvice = {
  params: "{ name: value }; a query as a text belongs to the address",
  form: "{ name: value }; for a form as a text there is body, with its content-type among the headers",
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
        `${option}: ${JSON.stringify(name)} must be a text, a number, a boolean, or a list of these, but is ${describe(value)}${value === null ? ": undefined leaves it out" : adviceFor(value)}.`,
      );
  }
}

function judgeText(place: string, value: unknown): void {
  if (typeof value !== "string")
    throw invalid(`${place} must be a text, but is ${describe(value)}${adviceFor(value)}.`);
}

/** How a thing that is nearly a text becomes one. */
function adviceFor(value: unknown): string {
  const isNear = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return isNear ? ": give String(value)" : "";
}

function noRecord(option: string, value: unknown, shape: string): Error {
  const isPairs = pairs.some((kind) => value instanceof kind);
  const advice = isPairs && option !== "multipart" ? `give Object.fromEntries(${option})` : `give ${shape}`;
  return invalid(`${option} must be an object of names and values, but is ${describe(value)}: ${advice}.`);
}
