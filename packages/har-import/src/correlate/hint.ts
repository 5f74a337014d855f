import { knownText } from "../value.ts";
import { printable } from "../show/printable.ts";
import { showExtractor } from "../show/show-extractor.ts";
import { maskSegment, showName } from "../show/shown-url.ts";
import type { PlacedRequest } from "./send-order.ts";
import type { Source } from "./source.ts";
import type { Use } from "./use.ts";

/** What a value may come from, in a sentence that can be printed. Values are not shown. */
export function writeHint({ by, seen }: Source, { kind, name }: Use): string {
  const shownName = showName(name);
  const what = kind === "path" ? `the segment after "${shownName}"` : `"${shownName}"`;
  return `${what} may come from the response to ${showAddress(by)} (${showExtractor(seen.from)})`;
}

function showAddress({ request }: PlacedRequest): string {
  const path = request.path.map(({ value }) => maskSegment(knownText(value) ?? "…")).join("/");
  return printable(`${request.method} /${path}`, 120);
}
