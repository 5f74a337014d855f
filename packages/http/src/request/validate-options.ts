import { mergeOption, type RequestHttpOptionName } from "@bearhug/plan/http-options/option-table";
import { readRequestOption, requestHttpOptionNames } from "@bearhug/plan/http-options/read-request-option";
import type { GivenOption, ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { RequestOptions } from "@bearhug/sdk";
import { closestName } from "@bearhug/text/closest-name";
import { describeValue, isPlain } from "@bearhug/text/describe-value";

import { bodyEncodings } from "./compress-body.ts";
import { invalid } from "./request-fault.ts";
import { validateFields, validateHeaders, validateParts, validateTags } from "./validate-fields.ts";

type Validate = (value: unknown) => void;

/** Accepts any value: bodies are validated when they are encoded. */
const acceptAny: Validate = () => undefined;

/** The options that `http` does not have, or has in a different form. */
const ownOptions: { readonly [Name in Exclude<keyof RequestOptions, RequestHttpOptionName>]: Validate } = {
  json: acceptAny,
  form: (value) => {
    validateFields("form", value);
  },
  multipart: validateParts,
  body: acceptAny,
  params: (value) => {
    validateFields("params", value);
  },
  headers: validateHeaders,
  // Validated in `cookiesOf`.
  cookies: acceptAny,
  jar: acceptAny,
  name: validateName,
  tags: validateTags,
  signal: validateSignal,
  compress: validateCompress,
  rawPath: validateRawPath,
};

/** Options that only requests have. */
const validateOwn: ReadonlyMap<string, Validate> = new Map(Object.entries(ownOptions));

const httpNames: ReadonlySet<string> = new Set(requestHttpOptionNames);

/** Every option of a request, in the order in which messages list them. */
const optionNames: readonly string[] = [...validateOwn.keys(), ...httpNames];

/**
 * Validates the options of a request at run time, because their types may be unchecked. Returns the options
 * of `http` for it: its own in place of the `defaults`. It runs for every request, so it allocates nothing
 * unless the request sets an option of `http`.
 * @throws {RequestFault} for the first invalid option
 */
export function readOptions(given: unknown, defaults: ValidatedHttp): ValidatedHttp {
  return read(given, defaults, false);
}

/**
 * Validates the options of all requests of a batch, before the first is sent.
 * @throws {RequestFault} for the first invalid request
 */
export function readBatch(requests: unknown, defaults: ValidatedHttp): ValidatedHttp[] {
  if (!Array.isArray(requests))
    throw invalid(`batch takes an array of requests, but got ${describeValue(requests)}.`);
  return requests.map((request: unknown) => {
    if (typeof request === "string") return defaults;
    if (!isPlain(request) || request["url"] === undefined) {
      throw invalid(
        `batch takes URLs, or requests such as { method: "POST", url: "/orders" }, but got ${
          isPlain(request) ? "one without url" : describeValue(request)
        }.`,
      );
    }
    return read(request, defaults, true);
  });
}

function read(given: unknown, defaults: ValidatedHttp, isOfBatch: boolean): ValidatedHttp {
  if (!isPlain(given)) {
    const isBody = typeof given === "string" || ArrayBuffer.isView(given);
    throw invalid(
      `The options of a request must be an object such as { json: … }, but are ${describeValue(given)}${isBody ? ": give a body as { body }" : ""}.`,
    );
  }
  let http = defaults;
  for (const name in given) {
    const value = given[name];
    if (value === undefined) continue;
    const validate = validateOwn.get(name);
    if (validate !== undefined) validate(value);
    else if (isHttpName(name)) http = withOption(http, name, value);
    else if (name !== "method" && name !== "url") throw unknownName(name);
    else if (!isOfBatch)
      throw invalid(`${name} is an option only in a batch; here it is an argument before the options.`);
  }
  return http;
}

function isHttpName(name: string): name is RequestHttpOptionName {
  return httpNames.has(name);
}

function withOption(http: ValidatedHttp, name: RequestHttpOptionName, value: unknown): ValidatedHttp {
  // A request disables credentials with "none"; in `http` they are omitted instead.
  if (name === "auth" && value === "none") return { ...http, auth: null };
  return { ...http, [name]: mergeOption(name, http[name], readHttpOption(name, value)) };
}

/** Reads an option of `http` that a request sets, as `http` does. @throws {RequestFault} if it is invalid */
function readHttpOption<Name extends RequestHttpOptionName>(name: Name, value: unknown): GivenOption<Name> {
  const reading = readRequestOption(name, value);
  if (!("problem" in reading)) return reading.value;
  const alternative = name === "auth" && !isPlain(value) ? ' "none" sends no credentials.' : "";
  throw invalid(reading.problem + alternative);
}

function validateName(value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  throw invalid(`name must be a non-empty string, but is ${describeValue(value)}.`);
}

function validateSignal(value: unknown): void {
  if (value instanceof AbortSignal) return;
  throw invalid(
    `signal must be an AbortSignal, but is ${describeValue(value)}: pass the signal of an AbortController.`,
  );
}

function validateCompress(value: unknown): void {
  if (bodyEncodings.some((encoding) => encoding === value)) return;
  const names = bodyEncodings.map((encoding) => JSON.stringify(encoding)).join(", ");
  const meant = typeof value === "string" ? closestName(value, bodyEncodings) : undefined;
  const advice = meant === undefined ? "." : `: did you mean ${JSON.stringify(meant)}?`;
  const shown = typeof value === "string" ? JSON.stringify(value) : describeValue(value);
  throw invalid(`compress must be one of ${names}, but is ${shown}${advice}`);
}

function validateRawPath(value: unknown): void {
  if (typeof value === "boolean") return;
  throw invalid(`rawPath must be true or false, but is ${describeValue(value)}.`);
}

/** Names in k6's params, and our names for them. */
const ofK6: ReadonlyMap<string, string> = new Map([
  ["responseType", "discardBodies"],
  ["responseCallback", "expect"],
  ["compression", "compress"],
]);

function unknownName(name: string): Error {
  const meant = ofK6.get(name) ?? closestName(name, optionNames);
  const advice = meant === undefined ? `it takes ${optionNames.join(", ")}.` : `did you mean ${meant}?`;
  return invalid(`${JSON.stringify(name)} is not an option of a request: ${advice}`);
}
