import type { Checks } from "../context/context.ts";
import { redirectedAddress } from "../extract/address-values.ts";
import { answerOf } from "../extract/extract.ts";
import type { Response } from "../http/response.ts";

/** Checks that the status is one of these: `check(response, statusIs(200))`. */
export function statusIs(...expected: readonly number[]): Checks<Response> {
  return { [`status is ${expected.join(" or ")}`]: ({ status }) => expected.includes(status) };
}

/** Checks the path of the final URL, after redirects, such as `/account`. */
export function endsAt(path: string): Checks<Response> {
  return { [`ends at ${path}`]: ({ url }) => pathOf(url) === path };
}

/**
 * Checks that the response was redirected to a path, such as `/notes/:id`, in which `:id` stands for any segment. The query, parameters of
 * segments (`;jsessionid=…`) and a country or language before the rest (`/us/en/notes`) do not count. A redirect that was not followed, and those of
 * Next.js, htmx, Remix and SvelteKit, count as well.
 *
 * @param form Path of the form that was sent, where it would fit the path: a redirect back to it does not count.
 */
export function redirectsTo(path: string, form?: string): Checks<Response> {
  const expected = plainPath(path).split("/");
  const rejected = form === undefined ? null : plainPath(form);
  return {
    [`redirects to ${path}`]: (response) => {
      const found = plainPath(redirectedAddress(answerOf(response)) ?? "");
      const segments = found.split("/");
      const isSame = expected.every((segment, index) => segment === ":id" || segment === segments[index]);
      return isSame && segments.length === expected.length && found !== rejected;
    },
  };
}

/**
 * Checks a field of a body in JSON that says if what was asked for was done: `jsonFieldIs("success", true)`. A refusal may have the same
 * status. The value is part of the check's name: one that differs from iteration to iteration makes many checks.
 */
export function jsonFieldIs(field: string, value: string | number | boolean | null): Checks<Response> {
  return { [`${field} is ${value}`]: (response) => fieldsOf(response.json())[field] === value };
}

/**
 * Checks that a body in JSON, or each item of a list, has nothing in `error` and `errors`: neither is there, or it is null,
 * false, 0 or empty. GraphQL answers with errors under status 200.
 */
export function noJsonErrors(): Checks<Response> {
  return {
    "no errors": (response) =>
      [response.json()].flat().every((answer) => {
        const { error, errors } = fieldsOf(answer);
        return isEmpty(error) && isEmpty(errors);
      }),
  };
}

function pathOf(address: string): string {
  return address.replace(/^\w+:\/\/[^/]+|[?#].*$/g, "");
}

/** The path of an address without parameters of segments (`;jsessionid=…`) and without a country or language at its start. */
export function plainPath(address: string): string {
  return pathOf(address)
    .replace(/;[^/]*/g, "")
    .replace(/^(?:\/[a-z]{2}(?:-[a-z]{2})?)+(?=\/)/i, "");
}

/** @throws {TypeError} for what is neither an object nor a list. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return { ...value };
  throw new TypeError(`The body is JSON, but not an object: ${JSON.stringify(value)}.`);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length === 0 : !value;
}
