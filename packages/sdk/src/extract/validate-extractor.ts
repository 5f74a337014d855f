import type { Extractor } from "./extractor.ts";
import { quote } from "../text/quote.ts";
import { InvalidExtractorError } from "./invalid-extractor-error.ts";

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
