import {
  type ExtractionSource,
  modifyingMethods,
  extractFrom,
  redirectedAddress,
  redirectInJson,
} from "@bearhug/sdk/internal";
import { detachedText } from "@bearhug/text/detached-text";
import { decodeBase64 } from "@bearhug/text/secrets/decoded-view";

import { isJsonLines } from "../response-type.ts";
import type { CapturedRequest, CaptureModel, Proof } from "../capture-model.ts";
import { cookiesSetBy, type CaptureEntry } from "../capture.ts";
import { knownText, textOf } from "../value.ts";
import { landingInJson } from "../request/landing-path.ts";
import {
  fieldsOf,
  findEnvelope,
  findFieldsGone,
  findFormAccepted,
  findFormGone,
  findGrpcStatus,
  findProofs,
  passwordField,
} from "./find-proofs.ts";
import type { Uses, PlacedRequest } from "./uses.ts";
import {
  findInAddress,
  findInHeaders,
  findInHtml,
  findInJson,
  type IsCreatedIn,
  findInText,
  findWords,
  type IsWanted,
  type Sighting,
} from "./find-in-response.ts";
import { Overlaps } from "./order-waves.ts";

/** A response that supplies a value. */
export interface Source {
  readonly by: PlacedRequest;
  readonly seen: Sighting;
}

/** A cookie that a response set, or that the browser had before. */
export interface CookieSource {
  readonly name: string;
  readonly origin: string;
  /** As a request sends it. */
  readonly value: string;
  /** The first wave whose requests send it. */
  readonly knownFrom: number;
}

/** Everything that the recorded responses reveal about the values that requests send. */
export interface ResponseValues {
  /** By value, the best first. */
  readonly sources: ReadonlyMap<string, readonly Source[]>;
  /** By name, in the order in which they were set. */
  readonly cookies: ReadonlyMap<string, readonly CookieSource[]>;
  /** For a value anywhere in a response, the first wave that may know it. */
  readonly knownFrom: ReadonlyMap<string, number>;
  /** The first wave that may know values of a response whose body was not recorded. */
  readonly unknownFrom: number;
  /** Start times of requests, by the index of their entry. */
  readonly startedAtMs: ReadonlyMap<number, number>;
}

/** More places of one value add nothing. */
const maxSources = 64;
/** Files of a page contain no values of a single visitor. */
const fileType = /^(image|font|audio|video)\/|^text\/css|octet-stream|font|zip|pdf|wasm/i;
/** The lowest status of an error. */
const firstError = 400;
const scriptType = /javascript|ecmascript/i;

/** Reads recorded responses, one at a time in any order, and keeps the values that requests send later. */
export class SourceReader implements ResponseValues {
  readonly sources: Map<string, Source[]> = new Map();
  readonly cookies: Map<string, CookieSource[]> = new Map();
  readonly knownFrom: Map<string, number> = new Map();
  readonly startedAtMs: Map<number, number> = new Map();
  /** Signs that a request was accepted, by request. */
  readonly #proofs = new Map<CapturedRequest, readonly Proof[]>();
  /** Patterns of the paths that JSON responses redirected to, by request. */
  readonly landings: Map<CapturedRequest, string> = new Map();
  readonly overlaps: Overlaps;
  #unknownFrom = Infinity;
  readonly #uses: Uses;
  /** Lengths of the values that requests send: they rule out most words of a response. */
  readonly #lengths: ReadonlySet<number>;
  readonly #byEntry = new Map<number, PlacedRequest>();
  /** The names of all fields that forms send. */
  readonly #formFields: ReadonlySet<string>;
  /** Those of them that a page shows. */
  readonly #shownFields = new Set<string>();
  /** Those that the page in response does not have, by request. */
  readonly #fieldsGone = new Map<CapturedRequest, readonly string[]>();
  /** The name of the password's field in the first form that has one; undefined if none has. */
  readonly #password: string | undefined;

  constructor(model: CaptureModel, placed: readonly PlacedRequest[], uses: Uses) {
    this.#uses = uses;
    this.overlaps = new Overlaps(uses);
    this.#lengths = new Set(Array.from(uses.keys(), ({ length }) => length));
    this.#formFields = new Set(placed.flatMap(({ request }) => fieldsOf(request).map(({ name }) => name)));
    this.#password = placed.map(({ request }) => passwordField(request)).find((name) => name !== undefined);
    for (const one of placed) {
      for (const index of [one.request.entryIndex, ...one.request.redirectedTo])
        this.#byEntry.set(index, one);
    }
    for (const { name, origin, value } of model.cookies)
      this.#addCookie({ name, origin, value: knownText(value) ?? "", knownFrom: -1 });
  }

  /** Returns the signs that a request was accepted, once all responses are read. */
  proofsOf(request: CapturedRequest): readonly Proof[] {
    const name = this.#fieldsGone.get(request)?.find((one) => this.#shownFields.has(one));
    const proofs = this.#proofs.get(request) ?? [];
    return name === undefined || proofs.length > 0 ? proofs : [{ kind: "no field", name }];
  }

  get unknownFrom(): number {
    return this.#unknownFrom;
  }

  read(entry: CaptureEntry): void {
    const by = this.#byEntry.get(entry.index);
    if (by === undefined || entry.response === null) return;
    if (entry.index === by.request.entryIndex && entry.startedAtMs !== null)
      this.startedAtMs.set(entry.index, entry.startedAtMs);
    this.#readCookies(entry, by);
    // A test never sees the response of a redirect, except for the address that it leads to.
    if (entry.index === (by.request.redirectedTo.at(-1) ?? by.request.entryIndex))
      this.#readResponse(entry, by);
  }

  #readResponse(entry: CaptureEntry, by: PlacedRequest): void {
    const isWanted: IsWanted = (value) => {
      const uses = this.#lengths.has(value.length) ? this.#uses.get(value) : undefined;
      if (uses === undefined) return false;
      this.overlaps.note(value, by);
      if ((uses.at(-1)?.by.wave ?? -1) < by.knownFrom) return false;
      const known = this.knownFrom.get(value) ?? Infinity;
      if (by.knownFrom < known) this.knownFrom.set(detachedText(value), by.knownFrom);
      return true;
    };
    const recorded = new RecordedResponse(entry, by.request.redirectedTo.length > 0);
    const sightings: Sighting[] = [];
    const report = (sighting: Sighting): void => {
      sightings.push(sighting);
    };
    const headers = entry.response?.headers ?? [];
    findInHeaders(headers, isWanted, report);
    const status = entry.response?.status ?? 0;
    const isCreatedIn: IsCreatedIn = (collection) => status === 201 || isPostedTo(by.request, collection);
    if (by.request.redirectedTo.length > 0)
      findInAddress(recorded.url, recorded.url, isCreatedIn, isWanted, report);
    const location = redirectedAddress(new RecordedResponse(entry, false));
    if (location !== null) findInAddress(location, recorded.url, isCreatedIn, isWanted, report);
    this.#readBody(entry, by, recorded, isWanted, report);
    if (status < firstError && !isJsonLines(entry)) this.#findOutcome(recorded, by.request);
    this.#keep(sightings, recorded, by);
  }

  /** Finds the signs that a request was accepted. */
  #findOutcome(recorded: RecordedResponse, request: CapturedRequest): void {
    const grpc = findGrpcStatus(recorded);
    if (grpc.length > 0) {
      this.#proofs.set(request, grpc);
      return;
    }
    const document = recorded.document();
    if (!modifyingMethods.has(request.method)) {
      // Only a page for members ends at its own path and has this checked.
      const isForMembers = request.landsOn !== null && request.redirectedTo.length === 0;
      const isPage = document === undefined && isForMembers;
      this.#proofs.set(request, isPage ? findFormGone(recorded, this.#password) : findEnvelope(document));
      return;
    }
    const isPage = document === undefined;
    this.#proofs.set(request, isPage ? findFormAccepted(recorded, request) : findProofs(document));
    this.#fieldsGone.set(request, findFieldsGone(recorded, request));
    const location = redirectInJson(document);
    const landsOn = location === null ? null : landingInJson(new URL(recorded.url), location, request.body);
    if (landsOn !== null) this.landings.set(request, landsOn);
  }

  #readBody(
    { response }: CaptureEntry,
    by: PlacedRequest,
    recorded: RecordedResponse,
    isWanted: IsWanted,
    report: (sighting: Sighting) => void,
  ): void {
    const type = recorded.header("content-type") ?? response?.mimeType ?? "";
    if (fileType.test(type)) return;
    if (response?.body === null && response.bodyBytes !== 0)
      this.#unknownFrom = Math.min(this.#unknownFrom, by.knownFrom);
    const text = recorded.text();
    if (scriptType.test(type)) {
      // Constants of a program: noted only so that they are not taken for generated values.
      findWords(text, this.#lengths, isWanted);
      return;
    }
    const found = new Set<string>();
    const reportFound = (sighting: Sighting): void => {
      found.add(sighting.value);
      report(sighting);
    };
    const onField = (name: string): void => {
      if (this.#formFields.has(name)) this.#shownFields.add(detachedText(name));
    };
    const document = recorded.document();
    if (document !== undefined) findInJson(document, isWanted, reportFound);
    else if (/html|^$/i.test(type) || text.includes("<html"))
      findInHtml(text, isWanted, reportFound, onField);
    const reportInText: typeof report = document === undefined ? report : (seen) => report(withLink(seen));
    findInText(text, this.#lengths, (value) => !found.has(value) && isWanted(value), reportInText);
  }

  /** Keeps the sightings for which `extract` finds exactly the same value. */
  #keep(sightings: readonly Sighting[], recorded: RecordedResponse, by: PlacedRequest): void {
    for (const seen of sightings) {
      const others = this.sources.get(seen.value) ?? [];
      const place = others.findLastIndex((other) => !isBetter({ by, seen }, other)) + 1;
      if (place >= maxSources || extractFrom(recorded, seen.from) !== seen.value) continue;
      // A copy, so that its strings do not keep the whole body in memory.
      others.splice(place, 0, { by, seen: structuredClone(seen) });
      others.length = Math.min(others.length, maxSources);
      this.sources.set(detachedText(seen.value), others);
    }
  }

  #readCookies(entry: CaptureEntry, by: PlacedRequest): void {
    const origin = URL.parse(entry.request.url)?.origin;
    if (origin === undefined) return;
    for (const { name, value } of cookiesSetBy(entry))
      if (name !== "") this.#addCookie({ name, origin, value, knownFrom: by.knownFrom });
  }

  #addCookie(cookie: CookieSource): void {
    const others = this.cookies.get(cookie.name) ?? [];
    const place = others.findLastIndex(({ knownFrom }) => knownFrom <= cookie.knownFrom) + 1;
    others.splice(place, 0, cookie);
    this.cookies.set(cookie.name, others);
  }
}

/** Marks a value at the end of an address in JSON. */
function withLink(seen: Sighting): Sighting {
  const [left = "", right = ""] = "between" in seen.from ? seen.from.between : [];
  return left.endsWith("/") && right.startsWith('"') ? { ...seen, endsLink: true } : seen;
}

/** Returns true for a POST to a collection (`/posts`), or to its form for something new (`/posts/new`). */
function isPostedTo({ method, path }: CapturedRequest, collection: readonly string[]): boolean {
  if (method !== "POST") return false;
  const segments = path.map(textOf).filter(Boolean);
  if (/^(new|create|add)$/i.test(segments.at(-1) ?? "")) segments.pop();
  return segments.join("/") === collection.join("/");
}

/**
 * Returns true if a source is better than another: fields and keys are made to be read, and among equals the
 * first response supplied the value.
 */
function isBetter(one: Source, other: Source): boolean {
  const difference = rankOf(one) - rankOf(other);
  return difference === 0 ? one.by.place < other.by.place : difference < 0;
}

const kinds = ["field", "meta", "json", "header", "query", "segment", "between"] as const;

function rankOf({ seen: { from, isOneOfMany } }: Source): number {
  const rank = kinds.findIndex((kind) => kind in from);
  return isOneOfMany ? rank + kinds.length : rank;
}

/** A recorded response in the form that `extract` reads. */
class RecordedResponse implements ExtractionSource {
  readonly url: string;
  readonly redirected: boolean;
  readonly #entry: CaptureEntry;
  #text: string | null = null;
  #document: { readonly value: unknown } | null = null;

  constructor(entry: CaptureEntry, redirected: boolean) {
    this.#entry = entry;
    this.redirected = redirected;
    this.url = entry.request.url;
  }

  header(name: string): string | null {
    const lower = name.toLowerCase();
    const values = (this.#entry.response?.headers ?? []).filter(
      ([written]) => written.toLowerCase() === lower,
    );
    return values.length === 0 ? null : values.map(([, value]) => value).join(", ");
  }

  text(): string {
    return (this.#text ??= decodeBody(this.#entry));
  }

  json(): unknown {
    this.#document ??= { value: JSON.parse(this.text()) };
    return this.#document.value;
  }

  /** Returns the parsed body; undefined, which JSON cannot be, if the body is not JSON. */
  document(): unknown {
    if (!/^\s{0,100}[[{"]/.test(this.text())) return undefined;
    try {
      return this.json();
    } catch {
      return undefined;
    }
  }
}

function decodeBody({ response }: CaptureEntry): string {
  const body = response?.body ?? null;
  if (body === null) return "";
  if ("text" in body) return body.text;
  const bytes = Uint8Array.from(decodeBase64(body.base64), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
