import type { CapturedRequest } from "../capture-model.ts";
import { type Atom, knownText } from "../value.ts";
import { printable } from "./printable.ts";
import { showAtoms, showBody } from "./show-body.ts";
import { showExtractor } from "./show-extractor.ts";
import { isDynamic, showValue } from "./show-value.ts";
import { isStaticFileName } from "../static-file.ts";
import { maskSegment, showName } from "./shown-url.ts";
import { plural } from "./printable.ts";

/** A request for people. Every text is safe to print. */
export interface ShownRequest {
  readonly method: string;
  /** "" where it is the first document's. */
  readonly host: string;
  /** Path, and names of the query's parameters; values only where they are known when a test runs. */
  readonly path: string;
  /** `200`, or `→ 200` behind redirects; a dash where the capture has no answer. */
  readonly status: string;
  /** What it sends besides, what is taken from its answer, what is to be judged by a person: a line each. */
  readonly details: readonly string[];
}

/** How a request is shown in a capture whose first document has this origin. */
export function showRequest(request: CapturedRequest, origin: string): ShownRequest {
  return {
    method: printable(request.method, 20),
    host: request.origin === origin ? "" : printable(request.origin),
    path: printable(showPath(request.path) + showQuery(request.query), 400),
    status: showStatus(request),
    details: detailsOf(request),
  };
}

function showStatus({ recordedStatus, redirectedTo }: CapturedRequest): string {
  const status = recordedStatus === null ? "–" : String(recordedStatus);
  return redirectedTo.length === 0 ? status : `→ ${status}`;
}

function detailsOf(request: CapturedRequest): string[] {
  const headers = request.headers.filter(({ value }) => isDynamic(value));
  const hops = request.redirectedTo.length;
  return [
    ...(hops === 0 ? [] : [`follows ${plural(hops, "redirect")}`]),
    ...(request.body === null ? [] : [`sends ${showBody(request.body)}`]),
    ...(headers.length === 0 ? [] : [`header ${showAtoms(headers)}`]),
    ...request.extractions.map(({ name, from }) => `extracts {${printable(name)}}: ${showExtractor(from)}`),
    ...request.hints.map((hint) => printable(hint, 300)),
  ];
}

function showPath(path: readonly Atom[]): string {
  const last = path.at(-1);
  const isStatic = last !== undefined && isStaticFileName(`/${showSegment(last, true)}`);
  return path.map((atom) => `/${showSegment(atom, isStatic)}`).join("");
}

function showSegment({ value }: Atom, isStatic: boolean): string {
  return value
    .map((part) => {
      if (part.kind !== "text") return showValue([part]);
      return encodeUnreadable(isStatic ? part.text : maskSegment(part.text));
    })
    .join("");
}

/** Readable as far as letters are one column wide: what divides addresses, and wide letters, stay percent-encoded. */
function encodeUnreadable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s/?#%\u1100-\uffff]|[\u{10000}-\u{10ffff}]/gu, (character) => encodeURIComponent(character));
}

function showQuery(query: readonly Atom[]): string {
  if (query.length === 0) return "";
  const shown = query.map(({ name, value }) => {
    if (isDynamic(value)) return name === "" ? showValue(value) : `${showName(name)}=${showValue(value)}`;
    // What has no name is one: `?close`.
    return showName(name === "" ? (knownText(value) ?? "") : name);
  });
  return `?${shown.join("&")}`;
}
