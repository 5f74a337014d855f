import { describeValue } from "@bearhug/text/describe-value";
import { quote } from "@bearhug/text/printable";
import { BearhugError } from "../bearhug-error.ts";

/** Describes the place of a value in a response. */
export type Extractor =
  /**
   * In a JSON body: keys and indexes (from 0), such as `user.items[0].id` or `["odd key"].id`; "" is the
   * whole body. A number or boolean becomes a string, and an integer keeps all its digits; an object, an
   * array or null is not found.
   */
  | { readonly json: string }
  /**
   * The value of a form field in an HTML body, by its name: the `value` of an `input` or `button`, the text
   * of a `textarea`, the selected option of a `select`. Each radio button and each checkbox is a separate
   * field.
   * `nth`: which of the fields with that name, counted from 1. @default 1
   */
  | { readonly field: string; readonly nth?: number }
  /** The content of a `meta` element in an HTML body, by its `name` or `property`. */
  | { readonly meta: string }
  /** A header, by its name. The case of the name does not matter. */
  | { readonly header: string }
  /**
   * A parameter in the query or fragment of the response's URL (after redirects), or of its `location`
   * header.
   */
  | { readonly query: string }
  /**
   * A segment in the path of the `location` header or, without one, of the URL that redirects led to. `1` is
   * the first, `-1` the last, such as the id of a created object. Parameters such as `;jsessionid=0A1B` are
   * left out. If nothing redirected, no value is found.
   */
  | { readonly segment: number }
  /**
   * The shortest text between two others in the body. Nothing in it is decoded.
   * `nth`: which of several, counted from 1. The search for the next one starts after the right text, so
   * equal delimiters are used in pairs: the second text between quotation marks in `"7","8"` is `8`.
   * @default 1
   */
  | { readonly between: readonly [left: string, right: string]; readonly nth?: number };

/** A response to extract values from, received or recorded. */
export interface ExtractionSource {
  /** The URL that responded, after redirects. */
  readonly url: string;
  /** True if a redirect was followed. */
  readonly redirected: boolean;
  /** A header by its name, in any case; null if it is absent. */
  header(name: string): string | null;
  /** The body, decoded. */
  text(): string;
  /** The parsed body. Throws a `SyntaxError` if it isn't JSON. */
  json(): unknown;
}

/**
 * Thrown by `extract` for an invalid extractor: none or several kinds, an unknown option, or a wrong value; and
 * for something that is no response.
 */
export class InvalidExtractorError extends BearhugError {
  override readonly name = "InvalidExtractorError";
  readonly code = "INVALID_EXTRACTOR";
  constructor(problem: string) {
    super(`extract: ${problem}`);
  }
}

/** An extractor with its defaults filled in. */
export type ValidExtractor =
  | { readonly kind: "json" | "meta" | "header" | "query"; readonly name: string }
  | { readonly kind: "segment"; readonly nth: number }
  | { readonly kind: "field"; readonly name: string; readonly nth: number }
  | { readonly kind: "between"; readonly left: string; readonly right: string; readonly nth: number };

const kinds = ["json", "field", "meta", "header", "query", "segment", "between"] as const;
const countable: readonly string[] = ["field", "between"];

/**
 * Validates an extractor. It may be any value, because tests run without a type check.
 * @throws {InvalidExtractorError}
 */
export function validateExtractor(extractor: Extractor): ValidExtractor {
  const given: unknown = extractor;
  if (typeof given !== "object" || given === null)
    throw new InvalidExtractorError(
      `an extractor must be an object such as { json: "id" }, but is ${describeValue(given)}. Its key is one of ${kinds.join(", ")}.`,
    );
  const fields = new Map<string, unknown>(Object.entries(given));
  const [kind, ...others] = kinds.filter((name) => fields.has(name));
  if (kind === undefined || others.length > 0)
    throw new InvalidExtractorError(`an extractor must have one key: ${kinds.join(", ")}.`);
  const known = countable.includes(kind) ? [kind, "nth"] : [kind];
  const unknown = [...fields.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InvalidExtractorError(`${kind} has no option ${quote(unknown)}.`);

  const nth = fields.get("nth") ?? 1;
  if (typeof nth !== "number" || !Number.isInteger(nth) || nth < 1)
    throw new InvalidExtractorError("nth starts at 1.");
  const value = fields.get(kind);
  if (kind === "segment") return { kind, nth: readSegment(value) };
  if (kind === "between") return { kind, nth, ...readDelimiters(value) };
  if (typeof value !== "string") throw new InvalidExtractorError(`${kind} takes a string.`);
  return kind === "field" ? { kind, name: value, nth } : { kind, name: value };
}

function readSegment(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value !== 0) return value;
  throw new InvalidExtractorError("segment starts at 1, or at -1 to count back from the last.");
}

function readDelimiters(value: unknown): { left: string; right: string } {
  const delimiters: readonly unknown[] = Array.isArray(value) ? value : [];
  const [left, right] = delimiters.length === 2 ? delimiters : [];
  if (typeof left !== "string" || typeof right !== "string" || left === "" || right === "")
    throw new InvalidExtractorError("between takes two non-empty strings: [left, right].");
  return { left, right };
}
