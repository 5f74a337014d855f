import { modifyingMethods } from "@bearhug/sdk/internal";
import type { CapturedBody, CapturedRequest, JsonShape, MultipartPart, Proof } from "../capture-model.ts";
import { landingAddress } from "../path-pattern.ts";
import { plural, printable } from "../printable.ts";
import { masked, maskSegment, showName } from "../secrets/mask-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import { showExtractor } from "../show-extractor.ts";
import { isStaticFileName } from "../static-file.ts";
import { type Atom, type FreshValue, knownText, textValue, type Value, type ValuePart } from "../value.ts";

/** A request as text for people. Every field is safe to print. */
interface ShownRequest {
  readonly method: string;
  /** "" for that of the first document. */
  readonly host: string;
  /** Path, and names of the query's parameters; values only if they are known when a test runs. */
  readonly path: string;
  /** `200`, or `→ 200` after redirects; a dash if the capture has no response. */
  readonly status: string;
  /** Its body, extractions and hints, a line each. */
  readonly details: readonly string[];
}

/** Describes a request for people. `origin` is that of the first document. */
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
    ...showChecks(request),
    ...request.extractions.map(({ name, from }) => `extracts {${printable(name)}}: ${showExtractor(from)}`),
    ...request.hints.map((hint) => printable(hint, 300)),
  ];
}

/** Describes the checks of a response, except for those of its status, its type and a page's path. */
function showChecks(request: CapturedRequest): string[] {
  const { method, proofs } = request;
  const address = landingAddress(request);
  const shown = [
    ...(address === null || !modifyingMethods.has(method) ? [] : [`redirects to ${printable(address, 200)}`]),
    ...proofs.filter((proof) => proof.kind !== "type").map(showProof),
  ];
  return shown.length === 0 ? [] : [`checks: ${shown.join(", ")}`];
}

function showProof(proof: Exclude<Proof, { kind: "type" }>): string {
  if (proof.kind === "no errors") return "no errors";
  if (proof.kind === "grpc status") return `grpc-status is ${proof.code}`;
  if (proof.kind === "no field") return `has no field ${printable(showName(proof.name), 60)}`;
  if (proof.kind === "field") return `${proof.name} is ${proof.value}`;
  return `has ${proof.isReplaced ? "a new" : "the"} cookie ${printable(proof.cookie, 60)}`;
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

/** Percent-encodes separators of addresses, and letters wider than one column; the others stay readable. */
function encodeUnreadable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s/?#%\u1100-\uffff]|[\u{10000}-\u{10ffff}]/gu, (character) => encodeURIComponent(character));
}

function showQuery(query: readonly Atom[]): string {
  if (query.length === 0) return "";
  const shown = query.map(({ name, value }) => {
    if (isDynamic(value)) return name === "" ? showValue(value) : `${showName(name)}=${showValue(value)}`;
    // A parameter without a name is a name itself: `?close`.
    return showName(name === "" ? (knownText(value) ?? "") : name);
  });
  return `?${shown.join("&")}`;
}

const maxNames = 12;

/** Describes the body of a request: names as they are, values only if they are known when a test runs. */
function showBody(body: CapturedBody): string {
  switch (body.kind) {
    case "json":
      return `JSON ${showAtoms(atomsIn(body.root))}`.trimEnd();
    case "form":
      return `form ${showAtoms(body.fields)}`.trimEnd();
    case "multipart":
      return `multipart form ${showAtoms(body.parts.map(shownPart))}`.trimEnd();
    case "text":
      return isDynamic(body.text.value) ? `text ${showValue(body.text.value)}` : "text as recorded";
    case "bytes":
      return "bytes as recorded";
  }
}

function shownPart({ atom, file }: MultipartPart): Atom {
  return file === undefined ? atom : { ...atom, value: [{ kind: "variable", name: file }] };
}

/** Lists names, each once, with the values that are not as recorded: `user, password={PASSWORD}`. */
function showAtoms(atoms: readonly Atom[]): string {
  const shown = [...new Set(atoms.map(showAtom))].filter((text) => text !== "");
  const more = shown.length - maxNames;
  return [...shown.slice(0, maxNames), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function showAtom({ name, value }: Atom): string {
  if (name === "") return isDynamic(value) ? showValue(value) : "";
  return isDynamic(value) ? `${showName(name)}=${showValue(value)}` : showName(name);
}

/** Returns the values of a JSON body under their nearest keys. */
function atomsIn(shape: JsonShape, key = ""): Atom[] {
  switch (shape.kind) {
    case "literal":
      return [{ name: key, value: textValue(String(shape.value)), written: null }];
    case "string":
    case "number":
      return [shape.atom];
    case "list":
      return shape.items.flatMap((item) => atomsIn(item, key));
    case "object":
      return shape.fields.flatMap(([name, value]) => atomsIn(value, name));
  }
}

const maxTextCharacters = 24;

/** Returns true if a part of a value is known only when a test runs. */
export function isDynamic(value: Value): boolean {
  return value.some(({ kind }) => kind !== "text");
}

/**
 * Describes a value, with the parts that are known later in braces: `Bearer {TOKEN}`, `{csrf}`, `{a new
 * UUID}`.
 */
export function showValue(value: Value): string {
  return value.map(showPart).join("");
}

function showPart(part: ValuePart): string {
  switch (part.kind) {
    case "text":
      return looksSecret(part.text) || /.@./.test(part.text)
        ? masked
        : printable(part.text, maxTextCharacters);
    case "variable":
    case "extracted":
      return `{${printable(part.name)}}`;
    case "cookie":
      return `{cookie ${printable(part.name, 60)}}`;
    case "fresh":
      return `{${showFresh(part.what)}}`;
    case "column":
      return `{${printable(part.table)}.${printable(part.column)}}`;
  }
}

const freshValues: Readonly<Record<Extract<FreshValue, string>, string>> = {
  uuid: "a new UUID",
  milliseconds: "now, in ms",
  seconds: "now, in s",
  "iso date": "now",
  fraction: "a random number",
};

function showFresh(what: FreshValue): string {
  return typeof what === "string" ? freshValues[what] : `${what.digits} random digits`;
}
