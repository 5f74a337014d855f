import type { CapturedRequest, CaptureModel } from "../capture-model.ts";
import type { Identifiers } from "../identifiers.ts";
import { requestsOf } from "../map-atoms.ts";
import { knownText, textValue, type Value } from "../value.ts";
import { type BodyCode, writeBody } from "./request-body.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

/** The shared parts of a test file. */
export interface FileParts {
  readonly vocabulary: Vocabulary;
  readonly headers: HeaderSets;
  readonly requests: ReadonlyMap<CapturedRequest, RequestParts>;
}

/** The parts of a request that are written before the others are known. */
interface RequestParts {
  readonly body: BodyCode | null;
  /** All its headers, with the content type that the code of its body needs. */
  readonly lines: readonly HeaderLine[];
}

export function planParts(model: CaptureModel): FileParts {
  const vocabulary = createVocabulary(model);
  const requests = new Map(
    requestsOf(model).map((request) => {
      const body = writeBody(request, vocabulary);
      return [request, { body, lines: headerLines(request, body?.contentType ?? null) }] as const;
    }),
  );
  const lines = Array.from(requests.values(), (one) => one.lines);
  return { vocabulary, headers: liftHeaders(lines, vocabulary.identifiers), requests };
}

/** A header of a request, with all its values. */
export interface HeaderLine {
  readonly name: string;
  readonly values: readonly Value[];
}

/** Headers that several requests share, lifted out of them. */
interface HeaderSets {
  /** Those of every request: options of the test. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Sets that repeat, by the key of their lines. */
  readonly constants: ReadonlyMap<string, HeaderConstant>;
}

interface HeaderConstant {
  readonly identifier: string;
  readonly lines: readonly HeaderLine[];
}

/** A single request keeps its own headers. */
const fewestForDefaults = 2;

/** Returns the headers that requests share. `lines` are the headers of each request. */
function liftHeaders(lines: readonly (readonly HeaderLine[])[], identifiers: Identifiers): HeaderSets {
  const defaults = lines.length < fewestForDefaults ? new Map<string, string>() : findDefaults(lines);
  const sets = new Map<string, { readonly lines: readonly HeaderLine[]; count: number }>();
  for (const ofRequest of lines) {
    const fixed = withoutDefaults(ofRequest, defaults).filter(isFixed);
    const key = keyOf(fixed);
    const set = sets.get(key);
    if (set !== undefined) set.count++;
    else if (fixed.length > 0) sets.set(key, { lines: fixed, count: 1 });
  }
  const repeated = [...sets].filter(([, { count }]) => count > 1);
  return {
    defaults,
    constants: new Map(
      repeated.map(([key, set]) => {
        const identifier = identifiers.take(nameFor(set.lines));
        return [key, { identifier, lines: set.lines }] as const;
      }),
    ),
  };
}

/** Returns the headers of a request, with the content type that the code of its body needs. */
function headerLines(request: CapturedRequest, contentType: string | null): HeaderLine[] {
  const lines = new Map<string, { readonly name: string; readonly values: Value[] }>();
  for (const { name, value } of request.headers) {
    const lower = name.toLowerCase();
    if (lower === "content-type" && request.body !== null) continue;
    const line = lines.get(lower);
    if (line === undefined) lines.set(lower, { name, values: [value] });
    else line.values.push(value);
  }
  if (request.body !== null && contentType !== null) {
    const recorded = request.headers.find(({ name }) => name.toLowerCase() === "content-type");
    lines.set("content-type", { name: recorded?.name ?? "content-type", values: [textValue(contentType)] });
  }
  return [...lines.values()];
}

/** Returns the lines that the test's own headers do not include already. */
export function withoutDefaults(
  lines: readonly HeaderLine[],
  defaults: ReadonlyMap<string, string>,
): HeaderLine[] {
  return lines.filter((line) => defaults.get(line.name.toLowerCase()) !== onlyText(line));
}

export function isFixed({ values }: HeaderLine): boolean {
  return values.every((value) => knownText(value) !== null);
}

/** Returns a key that is the same for equal lines. */
export function keyOf(lines: readonly HeaderLine[]): string {
  return JSON.stringify(lines.map(({ name, values }) => [name, ...values.map(knownText)]));
}

function onlyText({ values }: HeaderLine): string | null {
  const [value, ...others] = values;
  return value === undefined || others.length > 0 ? null : knownText(value);
}

/** Header values that can be an option of the whole test. */
const possibleDefault = /^[\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** Headers that are always written beside the request. */
const perRequest = new Set(["content-type", "origin"]);

/** Returns, for each header that every request has, the most frequent value. */
function findDefaults(lines: readonly (readonly HeaderLine[])[]): Map<string, string> {
  const counts = new Map<string, { requests: number; readonly texts: Map<string, number> }>();
  for (const line of lines.flat()) {
    const lower = line.name.toLowerCase();
    const known = counts.get(lower) ?? { requests: 0, texts: new Map<string, number>() };
    counts.set(lower, known);
    known.requests++;
    const text = onlyText(line);
    if (text !== null) known.texts.set(text, (known.texts.get(text) ?? 0) + 1);
  }
  const defaults = new Map<string, string>();
  for (const [name, { requests, texts }] of counts) {
    const text = name === "accept" && texts.has("*/*") ? "*/*" : mostFrequent(texts);
    const isPossible = text !== null && (texts.get(text) ?? 0) > 1 && possibleDefault.test(text);
    if (requests === lines.length && isPossible && !perRequest.has(name)) defaults.set(name, text);
  }
  return defaults;
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  for (const [text, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = text;
  return best;
}

/**
 * Names a set of headers after the content that it accepts, which is what differs between the requests of a
 * browser.
 */
function nameFor(lines: readonly HeaderLine[]): string {
  const all = new Map(lines.map((line) => [line.name.toLowerCase(), onlyText(line)] as const));
  const accept = all.get("accept") ?? "";
  if (accept.includes("text/html")) return "documentHeaders";
  if (accept.includes("json")) return "jsonHeaders";
  if (accept.startsWith("image/")) return "imageHeaders";
  if (accept.startsWith("text/css")) return "styleHeaders";
  if (all.has("x-requested-with")) return "ajaxHeaders";
  return "headers";
}
