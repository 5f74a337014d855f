import type { Extractor } from "@bearhug/sdk";
import { printable } from "./printable.ts";

const maxCharacters = 60;

/** Describes in a few words where a value is in a response: `form field "csrf"`. */
export function showExtractor(from: Extractor): string {
  if ("json" in from) return `JSON ${quote(from.json)}`;
  if ("field" in from) return `form field ${quote(from.field)}${showNth(from.nth)}`;
  if ("meta" in from) return `meta element ${quote(from.meta)}`;
  if ("header" in from) return `header ${quote(from.header)}`;
  if ("query" in from) return `URL query parameter ${quote(from.query)}`;
  if ("segment" in from) return `segment ${from.segment} of the URL path`;
  const [left, right] = from.between;
  return `text between ${quote(left)} and ${quote(right)}${showNth(from.nth)}`;
}

function showNth(nth: number | undefined): string {
  return nth === undefined || nth === 1 ? "" : `, match ${nth}`;
}

function quote(text: string): string {
  return `"${printable(text, maxCharacters)}"`;
}
