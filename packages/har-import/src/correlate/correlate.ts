import { modifyingMethods } from "@bearhug/sdk/internal";
import { requestName } from "@bearhug/text/request-name";
import type { CapturedRequest, CaptureModel, Extraction, Proof } from "../capture-model.ts";
import type { CaptureEntry } from "../capture.ts";
import { Lists } from "../lists.ts";
import { mapRequests, withChanges, requestsOf } from "../map-atoms.ts";
import { printable } from "../printable.ts";
import { anySegment, withAnySegments } from "../path-pattern.ts";
import { maskSegment, showName } from "../secrets/mask-text.ts";
import { showExtractor } from "../show-extractor.ts";
import { type Atom, knownText, textValue, type Value, type ValuePart } from "../value.ts";
import { chooseSources } from "./choose-sources.ts";
import { collectUses, type Use, type Uses, Replacements, type PlacedRequest, placeRequests } from "./uses.ts";
import { makeFresh } from "./regenerate-values.ts";
import { ValueNames } from "./name-values.ts";
import { SourceReader, type Source } from "./read-sources.ts";
import { orderWaves } from "./order-waves.ts";

/** More hints would hide the request that they are about. */
const maxHints = 3;

/**
 * Returns a model in which values that came from responses are extracted from the replay's responses, and
 * values that the browser generated are generated again. Names of extracted values are identifiers, unique in
 * the model.
 *
 * @param visitResponses Reads the capture again, bodies included: one entry at a time, and keeps none.
 */
export async function correlate(model: CaptureModel, visitResponses: VisitResponses): Promise<CaptureModel> {
  const read = await readSources(model, visitResponses);
  const waits = read.reader.overlaps.waits();
  // Rare: responses are read again only if a request has to wait for one that it overlaps by the recorded
  // times.
  if (waits.size === 0) return applySources(model, read);
  const ordered = orderWaves(model, waits);
  return applySources(ordered, await readSources(ordered, visitResponses));
}

type VisitResponses = (visit: (entry: CaptureEntry) => void) => Promise<void>;

interface ReadSources {
  readonly uses: Uses;
  readonly reader: SourceReader;
}

async function readSources(model: CaptureModel, visitResponses: VisitResponses): Promise<ReadSources> {
  const placed = placeRequests(model);
  const uses = collectUses(model, placed);
  const reader = new SourceReader(model, placed, uses);
  await visitResponses((entry) => reader.read(entry));
  return { uses, reader };
}

function applySources(model: CaptureModel, { uses, reader }: ReadSources): CaptureModel {
  const { extracted, fromCookies, possible } = chooseSources(uses, reader);
  const names = new ValueNames();
  const replacements = new Replacements();
  const extractions = new Lists<CapturedRequest, Extraction>();
  const hints = new Lists<CapturedRequest, string>();
  const addresses = new Map<CapturedRequest, Value>();
  for (const { source, uses: replaced } of extracted) {
    const [first] = replaced;
    if (first === undefined) continue;
    const name = names.ofSource(source, first);
    extractions.add(source.by.request, { name, from: source.seen.from });
    const part = { kind: "extracted", name } as const;
    for (const { by, atom, start, end, covered } of replaced) {
      if (covered === undefined) replacements.add(atom, { start, end, part });
      else addresses.set(by.request, addressOf(source, by.request, part, model.origin));
      for (const one of covered ?? []) replacements.add(one.atom, { start: 0, end: one.length, part });
    }
  }
  for (const { cookie, isDecoded, use } of fromCookies) {
    const { name, origin } = cookie;
    const part = { kind: "cookie", name, origin, ...(isDecoded ? { isDecoded } : {}) } as const;
    replacements.add(use.atom, { start: use.start, end: use.end, part });
  }
  for (const { source, use } of possible) hints.add(use.by.request, writeHint(source, use));
  makeFresh(uses, reader, names, replacements);

  const extractedValues = new Set(extracted.map(({ source }) => source.seen.value));
  const withNotes = mapRequests(model, (recorded) => {
    const withLanding = withChanges(recorded, { landsOn: reader.landings.get(recorded) ?? recorded.landsOn });
    const request = withProofs(withWildcards(withLanding, extractedValues), reader.proofsOf(recorded));
    const isNoted = addresses.has(recorded) || extractions.has(recorded) || hints.has(recorded);
    if (!isNoted && request.hints.length <= 1) return request;
    return {
      ...request,
      ...withAddress(addresses.get(recorded)),
      extractions: [...request.extractions, ...extractions.of(recorded)],
      hints: [...new Set([...request.hints, ...hints.of(recorded)])].slice(0, maxHints),
    };
  });
  return withRequestNames(withNotes, replacements.applyTo(withNotes));
}

/** Names each request whose default name would contain a segment that is known only when the test runs. */
function withRequestNames(model: CaptureModel, replaced: CaptureModel): CaptureModel {
  const recorded = requestsOf(model)[Symbol.iterator]();
  const name = (request: CapturedRequest): CapturedRequest => {
    const before = recorded.next().value;
    return before === undefined ? request : withRequestName(request, before);
  };
  return mapRequests(replaced, name);
}

function withRequestName(request: CapturedRequest, recorded: CapturedRequest): CapturedRequest {
  const texts = request.path.map(({ value }) => knownText(value));
  const isOpen = texts.some((text, index) => text === null && !isCollapsed(recorded.path[index]));
  if (!isOpen) return request;
  return { ...request, name: nameOfRequest(request) };
}

function nameOfRequest({ method, path }: CapturedRequest): string {
  return requestName(method, `/${path.map(nameOfSegment).join("/")}`);
}

/**
 * Returns a segment as a part of a name: `:id` stands for text that is known only when the test runs.
 * Parameters are left out.
 */
function nameOfSegment({ value, written }: Atom): string {
  const [shown = ""] = value
    .map((part) => (part.kind === "text" ? part.text : anySegment))
    .join("")
    .split(";", 1);
  return written ?? shown;
}

/**
 * Returns true for a segment that looks like an id, such as a number: names of requests have `:id` in its
 * place.
 */
function isCollapsed(segment: Atom | undefined): boolean {
  const text = segment === undefined ? "" : (segment.written ?? knownText(segment.value) ?? "");
  return requestName("GET", `/${text}`) === `GET /${anySegment}`;
}

/** Adds signs in the body. Those in JSON also prove its type. */
function withProofs(request: CapturedRequest, proofs: readonly Proof[]): CapturedRequest {
  if (proofs.length === 0) return request;
  const isJson = proofs.some(({ kind }) => kind !== "no field");
  return {
    ...request,
    proofs: [...request.proofs.filter(({ kind }) => !isJson || kind !== "type"), ...proofs],
  };
}

/** Replaces the ids in a request's landing path by wildcards if they are values of responses. */
function withWildcards(request: CapturedRequest, extractedValues: ReadonlySet<string>): CapturedRequest {
  const { method, landsOn } = request;
  if (landsOn === null || !modifyingMethods.has(method)) return request;
  const pattern = withAnySegments(landsOn, (segment) => extractedValues.has(segment));
  if (pattern === landsOn) return request;
  const name = request.redirectedTo.length === 0 ? request.name : nameOfRequest(request);
  return { ...request, landsOn: pattern, name };
}

/**
 * Returns an extracted address. A path alone would be resolved against the test's own origin, so any other
 * origin is put before it.
 */
function addressOf({ seen }: Source, { origin }: CapturedRequest, part: ValuePart, own: string): Value {
  return seen.value.startsWith("/") && origin !== own ? [...textValue(origin), part] : [part];
}

function withAddress(address: Value | undefined): Pick<CapturedRequest, "address"> {
  return address === undefined ? {} : { address };
}

/** Describes the likely source of a value, without the value itself. Safe to print. */
function writeHint({ by, seen }: Source, { kind, name }: Use): string {
  const shownName = showName(name);
  const what = kind === "path" ? `the segment after "${shownName}"` : `"${shownName}"`;
  return `${what} may come from the response to ${showAddress(by)} (${showExtractor(seen.from)})`;
}

function showAddress({ request }: PlacedRequest): string {
  const path = request.path.map(({ value }) => maskSegment(knownText(value) ?? "…")).join("/");
  return printable(`${request.method} /${path}`, 120);
}
