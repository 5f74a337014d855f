import { BearhugError } from "../bearhug-error.ts";
import { quote } from "../text/printable.ts";

/** A description of the place of a value in a response. */
export type Extractor =
  /**
   * In a JSON body: keys and indexes (from 0), such as `user.items[0].id` or `["odd key"].id`; "" is the whole body.
   * A number or boolean gives its text; an object, a list or null is no value.
   */
  | { readonly json: string }
  /**
   * The value of a form's field in an HTML body, by its name: of an `input` or `button` its `value`, of a `textarea` its
   * text, of a `select` the option that is chosen. Each radio button and checkbox is a field of its own.
   * `nth`: which of several of that name, from 1. @default 1
   */
  | { readonly field: string; readonly nth?: number }
  /** The content of a `meta` element in an HTML body, by its `name` or `property`. */
  | { readonly meta: string }
  /** A header, by its name, whatever its case. */
  | { readonly header: string }
  /** A parameter in the query, or fragment, of the address that answered, redirects followed, or of its `location`. */
  | { readonly query: string }
  /**
   * A segment in the path of its `location`, or, without one, of the address that redirects led to: `-1` is the last, such
   * as the id of what was made; `1` the first. Without parameters such as `;jsessionid=0A1B`. No value where nothing
   * redirected.
   */
  | { readonly segment: number }
  /**
   * The text between two others in the body: the shortest. Nothing in it is decoded.
   * `nth`: which of several, from 1. The search for the next begins behind the right text, so equal texts come in
   * pairs: the second between quotation marks in `"7","8"` is `8`. @default 1
   */
  | { readonly between: readonly [left: string, right: string]; readonly nth?: number };

/** A response to extract values from, received or recorded. */
export interface Answer {
  /** The address that answered, redirects followed. */
  readonly url: string;
  /** True if a redirect was followed. */
  readonly redirected: boolean;
  /** A header by its name, whatever its case; null where it is absent. */
  header(name: string): string | null;
  /** The body, decoded. */
  text(): string;
  /** The body parsed. Throws where it isn't JSON. */
  json(): unknown;
}

/** Thrown by `extract` for something that describes no place in a response. */
export class InvalidExtractorError extends BearhugError {
  override readonly name = "InvalidExtractorError";
  readonly code = "INVALID_EXTRACTOR";
  constructor(problem: string) {
    super(`extract: ${problem}`);
  }
}

/** An extractor with all that it may leave out. */
export type ValidExtractor =
  | { readonly kind: "json" | "meta" | "header" | "query"; readonly name: string }
  | { readonly kind: "segment"; readonly nth: number }
  | { readonly kind: "field"; readonly name: string; readonly nth: number }
  | { readonly kind: "between"; readonly left: string; readonly right: string; readonly nth: number };

const kinds = ["json", "field", "meta", "header", "query", "segment", "between"] as const;
const countable: readonly string[] = ["field", "between"];

/** Tests run without a type check: an extractor may be anything. @throws {InvalidExtractorError} */
export function validateExtractor(extractor: Extractor): ValidExtractor {
  const given: unknown = extractor;
  if (typeof given !== "object" || given === null) throw refusal("an extractor must be an object");
  const fields = new Map<string, unknown>(Object.entries(given));
  const [kind, ...others] = kinds.filter((name) => fields.has(name));
  if (kind === undefined || others.length > 0) throw refusal("an extractor must have one key");
  const known = countable.includes(kind) ? [kind, "nth"] : [kind];
  const unknown = [...fields.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InvalidExtractorError(`${kind} has no option ${quote(unknown)}.`);

  const nth = fields.get("nth") ?? 1;
  if (typeof nth !== "number" || !Number.isInteger(nth) || nth < 1)
    throw new InvalidExtractorError("nth starts at 1.");
  const value = fields.get(kind);
  if (kind === "segment") return { kind, nth: readSegment(value) };
  if (kind === "between") return { kind, nth, ...readNeighbours(value) };
  if (typeof value !== "string") throw new InvalidExtractorError(`${kind} takes a string.`);
  return kind === "field" ? { kind, name: value, nth } : { kind, name: value };
}

function readSegment(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value !== 0) return value;
  throw new InvalidExtractorError("segment starts at 1, or at -1 to count back from the last.");
}

function readNeighbours(value: unknown): { left: string; right: string } {
  const neighbours: readonly unknown[] = Array.isArray(value) ? value : [];
  const [left, right] = neighbours.length === 2 ? neighbours : [];
  if (typeof left !== "string" || typeof right !== "string" || left === "" || right === "")
    throw new InvalidExtractorError("between takes two non-empty strings: [left, right].");
  return { left, right };
}

function refusal(problem: string): InvalidExtractorError {
  return new InvalidExtractorError(`${problem}: ${kinds.join(", ")}.`);
}
