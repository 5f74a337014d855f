import { authSecrets } from "@bearhug/plan/http-options/auth";
import type { RequestOptions } from "@bearhug/sdk";
import { writeJsonPath } from "@bearhug/sdk/internal";
import { describeValue, isPlain } from "@bearhug/text/describe-value";
import { quote } from "@bearhug/text/printable";
import { mayNameSecret } from "@bearhug/text/secrets/secret-names";
import type { SeenSecrets } from "@bearhug/text/seen-secrets";

import { isMissing, type MissingValues } from "./missing-values.ts";
import { pairsOf } from "./pairs.ts";
import { formFieldsOf } from "./request-body.ts";
import { invalid } from "./request-fault.ts";

/** Logins have few fields; a large object is data. */
const maxSecretFields = 50;
/** `{ query: "…", variables: { login: { password: "…" } } }` */
const deepestSecret = 3;
/** The fields that are searched for missing values: more would cost over 1 % of sending a large body. */
const maxFields = 200;
const deepestMissing = 20;
/** A longer text is data. */
const maxTextCharacters = 65_536;
/** The number of keys of a path that are shown: the innermost ones. */
const maxKeys = 10;

/** The rules for the values in the options of a request. */
export interface ValueRules {
  readonly seen: SeenSecrets;
  /** Null for requests that are sent as they are. */
  readonly missingValues: MissingValues | null;
}

/**
 * Looks once at each value that a request is given: registers secrets with the mask, by field names, and
 * rejects missing values. Headers are searched for these where they are formatted, which is done less often.
 * @throws {RequestFault} if a value is missing
 */
export function lookAtOptions(options: RequestOptions, rules: ValueRules): void {
  const { headers, cookies, auth, form, multipart, json, body } = options;
  const { seen } = rules;
  if (auth !== undefined && auth !== "none") {
    for (const secret of authSecrets(auth)) seen.lookAtField("password", secret);
    rules.missingValues?.refuseAuth(auth);
  }
  if (headers !== undefined) lookAtHeaders(headers, seen);
  if (cookies !== undefined) {
    for (const [name, value] of Object.entries(cookies)) {
      seen.lookAtCookie(`${name}=${value}`);
      if (isMissing(value))
        rules.missingValues?.refuseText({ place: `cookies: ${quote(name)}`, name, text: value });
    }
  }
  if (form !== undefined) lookAtFields("form", form, rules);
  if (multipart !== undefined) lookAtFields("multipart", multipart, rules);
  if (body !== undefined) lookAtBody(body, rules);
  if (json !== undefined) new JsonLook(rules).look(json);
}

/** Registers the secrets in headers. */
export function lookAtHeaders(headers: NonNullable<RequestOptions["headers"]>, seen: SeenSecrets): void {
  for (const [name, value] of pairsOf<string | readonly string[]>(headers)) {
    if (typeof value === "string") seen.lookAtHeader(name, value);
    else for (const one of value) seen.lookAtHeader(name, one);
  }
}

/** Looks at a body of any form. Only the fields of forms, and short texts, are known. */
export function lookAtBody(body: unknown, rules: ValueRules): void {
  if (typeof body === "string") {
    if (!isMissing(body)) return;
    rules.missingValues?.refuseText({ place: "body", name: "body", text: body, way: "give it as bytes" });
  } else lookAtFields("body", formFieldsOf({ body }), rules);
}

/** Registers the secrets of a body that is the text of a form or JSON. This takes as long as to parse it. */
export function lookAtText(body: string, seen: SeenSecrets): void {
  if (body.length > maxTextCharacters || !mayNameSecret(body)) return;
  const rules: ValueRules = { seen, missingValues: null };
  lookAtFields("body", formFieldsOf({ body }), rules);
  if (!/^\s*[[{]/.test(body)) return;
  try {
    new JsonLook(rules).look(JSON.parse(body));
  } catch {
    // It is no JSON.
  }
}

const wayOf = {
  form: "give the form as a text, with body and a header content-type",
  multipart: "give { content }",
  body: "give the form as a text, or the part as { content } in multipart",
} as const;

function lookAtFields(
  option: keyof typeof wayOf,
  fields: Readonly<Record<string, unknown>> | Iterable<readonly [name: string, value: unknown]>,
  rules: ValueRules,
): void {
  for (const [name, value] of pairsOf(fields)) {
    if (!Array.isArray(value)) lookAtField(option, name, value, rules);
    else for (const one of value as readonly unknown[]) lookAtField(option, name, one, rules);
  }
}

function lookAtField(
  option: keyof typeof wayOf,
  name: string,
  value: unknown,
  { seen, missingValues }: ValueRules,
): void {
  if (typeof value === "string") seen.lookAtField(name, value);
  const text = Number.isNaN(value) ? "NaN" : value;
  if (typeof text !== "string" || !isMissing(text)) return;
  missingValues?.refuseText({ place: `${option}: ${quote(name)}`, name, text, way: wayOf[option] });
}

/** The look at the first fields of one JSON body. */
class JsonLook {
  readonly #seen: SeenSecrets;
  readonly #missingValues: MissingValues | null;
  readonly #keys: (number | string)[] = [];
  #secretFieldsLeft = maxSecretFields;
  #fieldsLeft = maxFields;

  constructor({ seen, missingValues }: ValueRules) {
    this.#seen = seen;
    this.#missingValues = missingValues;
  }

  look(root: unknown): void {
    if (typeof root === "object") {
      if (root !== null) this.#lookInto(root, this.#missingValues);
    } else if (this.#missingValues !== null) this.#refuse(root, null, this.#missingValues);
  }

  /** `missing`: null within objects that are not written as they are. */
  #lookInto(json: object, missing: MissingValues | null): void {
    if (Array.isArray(json)) {
      for (let index = 0; index < json.length && this.#takesField(); index++)
        this.#lookAt(json[index], index, json, missing);
      return;
    }
    const writes = "toJSON" in json && typeof json.toJSON === "function" ? null : missing;
    let isEmpty = true;
    for (const name in json) {
      if (!this.#takesField()) return;
      isEmpty = false;
      this.#lookAt((json as Readonly<Record<string, unknown>>)[name], name, json, writes);
    }
    if (isEmpty && missing !== null) this.#refuseUnwritten(json);
  }

  /** Counts a field. Returns false if it is one too many. */
  #takesField(): boolean {
    this.#fieldsLeft--;
    if (this.#keys.length <= deepestSecret && --this.#secretFieldsLeft >= 0) return true;
    return this.#fieldsLeft >= 0;
  }

  #lookAt(value: unknown, key: number | string, holder: object, missing: MissingValues | null): void {
    if (typeof value === "object") {
      if (value === null || this.#keys.length >= deepestMissing) return;
      this.#keys.push(key);
      this.#lookInto(value, missing);
      this.#keys.pop();
      return;
    }
    const isLogin = this.#keys.length <= deepestSecret && this.#secretFieldsLeft >= 0;
    if (isLogin && typeof value === "string" && typeof key === "string") this.#seen.lookAtField(key, value);
    if (missing === null || !mayBeMissing(value)) return;
    this.#keys.push(key);
    this.#refuse(value, holder, missing);
    this.#keys.pop();
  }

  #refuse(value: unknown, holder: object | null, missing: MissingValues): void {
    const key = this.#keys.at(-1) ?? "";
    // JSON leaves out what an object inherits.
    if (holder !== null && !Array.isArray(holder) && !Object.hasOwn(holder, key)) return;
    if (typeof value === "string") {
      const name = this.#keys.findLast((one) => typeof one === "string") ?? "json";
      const way = "give the JSON as a text, with body and a header content-type";
      missing.refuseText({ place: this.#place(), name, text: value, way });
    } else if (typeof value === "number") {
      if (!Number.isFinite(value)) throw invalid(`${this.#place()} is ${value}, ${becomesNull}`);
    } else if (Array.isArray(holder)) {
      throw invalid(`${this.#place()} is ${describeValue(value)}, ${becomesNull}`);
    } else if (typeof value === "function" && isPlain(holder) && !isMethod(value, key)) {
      throw invalid(`${this.#place()} is a function, which JSON leaves out: call it, or leave it out.`);
    }
  }

  /** @throws {RequestFault} for an object without fields that is not written as what it is */
  #refuseUnwritten(json: object): void {
    const kind = Object.prototype.toString.call(json).slice("[object ".length, -1);
    if (kind === "Object" || boxes.has(kind)) return;
    if (json instanceof Date) {
      if (Number.isNaN(json.getTime())) throw invalid(`${this.#place()} is an invalid date, ${becomesNull}`);
    } else if (!("toJSON" in json)) {
      const advice = kind === "Promise" ? "await it first" : "give a plain object or an array";
      throw invalid(`${this.#place()} is ${describeValue(json)}, which JSON writes as {}: ${advice}.`);
    }
  }

  #place(): string {
    const keys = this.#keys.slice(-maxKeys);
    return `json: ${keys.length === 0 ? "its value" : quote(writeJsonPath(keys))}`;
  }
}

const becomesNull = "which JSON writes as null. If it is meant so, give null.";
/** Kinds of objects without fields that JSON writes as the values that they hold. */
const boxes: ReadonlySet<string> = new Set(["Boolean", "Number", "String", "BigInt"]);

/** True for the method in `{ total() { … } }`, which is not meant as a value. */
function isMethod(value: object, key: number | string): boolean {
  const source = Function.prototype.toString.call(value).replace(/^(?:async\s+)?(?:\*\s*)?/, "");
  return source.startsWith(`${key}(`);
}

/** Returns true for values that need a closer look. Called for each field, so it is cheap. */
function mayBeMissing(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return isMissing(value);
    case "number":
      return !Number.isFinite(value);
    case "undefined":
    case "function":
    case "symbol":
      return true;
    case "boolean":
    case "bigint":
    case "object":
      return false;
  }
}
