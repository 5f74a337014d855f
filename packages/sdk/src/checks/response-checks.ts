import type { Checks } from "../context/context.ts";
import { parametersOf, redirectedAddress } from "../extract/address-values.ts";
import { extractFrom } from "../extract/extract-from.ts";
import { answerOf } from "../extract/extract.ts";
import type { Response } from "../http/response.ts";
import { grpcStatusOf } from "./grpc-status.ts";
import { reportsErrors } from "./json-errors.ts";

/** Checks that the status is one of these: `check(response, statusIs(200))`. */
export function statusIs(...expected: readonly number[]): Checks<Response> {
  return { [`status is ${expected.join(" or ")}`]: ({ status }) => expected.includes(status) };
}

/**
 * Checks that the response is an HTML page, by its `content-type`, and not empty. A 304, which has no body,
 * passes this check, `isJson` and `isNotHtml`.
 */
export function isHtml(): Checks<Response> {
  return {
    "is HTML": (response) => isUnchanged(response) || (isHtmlType(typeOf(response)) && hasBody(response)),
  };
}

/** Checks that the response is JSON, by its `content-type`, and not empty. */
export function isJson(): Checks<Response> {
  return {
    "is JSON": (response) => isUnchanged(response) || (isJsonType(typeOf(response)) && hasBody(response)),
  };
}

/**
 * Checks that the response is no HTML page, by its `content-type`. Many sites respond with a page and status
 * 200 for a file or data that is missing, for a login or for maintenance.
 */
export function isNotHtml(): Checks<Response> {
  return { "is not HTML": (response) => !isHtmlType(typeOf(response)) };
}

/**
 * Checks the path of the final URL, after redirects, such as `/account`. Parameters of the query are checked
 * if they are given, as in `/index.php?route=account`.
 */
export function endsAt(path: string): Checks<Response> {
  return {
    [`ends at ${path}`]: ({ url }) => pathOf(url) === pathOf(path) && hasParameters(url, path),
  };
}

/**
 * Checks that the response was redirected to a path, such as `/notes/:id`, in which `:id` stands for any
 * segment. The check ignores parameters of segments (`;jsessionid=…`), a leading country or language
 * (`/us/en/notes`) and the query, except for parameters that are given (`/index.php?route=account`). A
 * redirect that was not followed counts, too, and so do those of Next.js, htmx, Remix and SvelteKit.
 *
 * @param form Path of the submitted form. Give it if it matches `path`: a redirect back to the form then
 * fails the check.
 */
export function redirectsTo(path: string, form?: string): Checks<Response> {
  const expected = plainPath(path).split("/");
  const rejected = form === undefined ? null : plainPath(form);
  return {
    [`redirects to ${path}`]: (response) => {
      const address = redirectedAddress(answerOf(response)) ?? "";
      const found = plainPath(address);
      const segments = found.split("/");
      const isSame = expected.every((segment, index) => segment === ":id" || segment === segments[index]);
      const isPath = isSame && segments.length === expected.length && found !== rejected;
      return isPath && hasParameters(address, path);
    },
  };
}

/**
 * Checks a top-level field of a JSON body, such as `jsonFieldIs("success", true)`, for servers that report a
 * rejected request with the same status as a successful one. A body without a JSON object fails the check.
 * The value is part of the check's name: a value that differs between iterations creates many checks.
 */
export function jsonFieldIs(field: string, value: string | number | boolean | null): Checks<Response> {
  return { [`${field} is ${value}`]: (response) => fieldsOf(response.json())[field] === value };
}

/**
 * Checks that a JSON body, or each item of a JSON array, reports no errors: `error` and `errors` are absent,
 * null, false, 0 or empty, in whole or in each field, or say so, as `"none"` and `{ code: "ok" }` do. Lists
 * such as `validationErrors` and `errorMessages` are empty. It is no mere `{ success: false, message: "…" }`.
 * GraphQL servers report errors with status 200, so in its `data`, no mutation has `userErrors`
 * (`customerUserErrors`, too), `errors` that name a `field` or `path` of the input, or a `success` or `ok`
 * that is false beside a `message`, and no result has a `__typename` that ends in `Error`. Other lists in
 * `data` may be what the query asked for. The `errors` of an Inertia page or a Livewire component are empty.
 */
export function noJsonErrors(): Checks<Response> {
  return {
    "no errors": (response) => [response.json()].flat().every((item) => !reportsErrors(fieldsOf(item))),
  };
}

/**
 * Checks that the HTML of a response has no form field of this name: many sites show a form again, with status
 * 200, if they reject what was entered.
 */
export function hasNoField(name: string): Checks<Response> {
  return {
    [`has no field ${name}`]: (response) => extractFrom(answerOf(response), { field: name }) === null,
  };
}

/**
 * Checks the status of a gRPC-Web response, 0 for success: gRPC reports errors, such as an expired token, with
 * status 200 of HTTP, and with a `grpc-status` in a header or at the end of the body. A body that was cut off
 * has none, which fails the check.
 */
export function grpcStatusIs(code: number): Checks<Response> {
  return { [`grpc-status is ${code}`]: (response) => grpcStatusOf(answerOf(response)) === code };
}

/** Returns true for a `content-type` of HTML. */
export function isHtmlType(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType);
}

/** Returns true for a `content-type` of JSON. */
export function isJsonType(contentType: string): boolean {
  return /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

function typeOf({ headers }: Response): string {
  return headers.get("content-type") ?? "";
}

function isUnchanged({ status }: Response): boolean {
  return status === 304;
}

/** Returns true for a response with a body, and for one whose headers announce a body, as those of HEAD do. */
function hasBody({ size, headers, fromCache }: Response): boolean {
  return size.body > 0 || fromCache || Number(headers.get("content-length")) > 0;
}

function pathOf(address: string): string {
  return address.replace(/^\w+:\/\/[^/]+|[?#].*$/g, "");
}

/** Returns true if an address has each parameter of another's query, with the same value. */
function hasParameters(address: string, wanted: string): boolean {
  const found = parametersOf(address);
  return parametersOf(wanted).every(([name, value]) =>
    found.some(([other, its]) => other === name && its === value),
  );
}

/**
 * Returns the path of an address without parameters of segments (`;jsessionid=…`) and without a leading
 * country or language.
 */
export function plainPath(address: string): string {
  return pathOf(address)
    .replace(/;[^/]*/g, "")
    .replace(/^(?:\/[a-z]{2}(?:-[a-z]{2})?)+(?=\/)/i, "");
}

/** @throws {TypeError} if the value is neither an object nor an array. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return { ...value };
  throw new TypeError(`The body is JSON, but not an object: ${JSON.stringify(value)}.`);
}
