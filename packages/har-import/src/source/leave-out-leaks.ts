import type { Extractor } from "@bearhug/sdk";
import type {
  CapturedBody,
  CapturedRequest,
  CapturedStep,
  CaptureModel,
  Omission,
  Proof,
} from "../capture-model.ts";
import { requestsOf } from "../map-atoms.ts";
import { printable } from "../printable.ts";
import { masked, maskSegment } from "../secrets/mask-text.ts";
import type { FindLeaks } from "../secrets/known-secrets.ts";
import { type Atom, type FreshValue, knownText, textValue, type Value, type ValuePart } from "../value.ts";
import { type FileParts, planParts } from "./file-parts.ts";
import { joinSource } from "./format-source.ts";
import { callOf, writeRequest } from "./request-code.ts";
import { type TestOptions, writeSource } from "./write-source.ts";

type Accept<T> = (value: T) => boolean;

/** A model without the requests that cannot be written without a secret, and without words that have one in them. */
export function leaveOutLeaks(model: CaptureModel, findLeaks: FindLeaks): CaptureModel {
  const isClean: Accept<string> = (text) => findLeaks([text]).length === 0;
  const parts: FileParts = { ...planParts(model), headers: { defaults: [], constants: new Map() } };
  const leftOut = new Set(
    requestsOf(model).filter((request) => !isClean(callOf(writeRequest(request, parts)))),
  );
  const kept = model.steps.map((step) => keepRequests(step, (request) => !leftOut.has(request), isClean));
  const omitted = Array.from(leftOut, (request) => omissionOf(request, isClean));
  const count = omitted.length;
  const what =
    count === 1
      ? "1 request was omitted: it has a secret"
      : `${count} requests were omitted: they have secrets`;
  const note = `${what} that cannot be replaced by a variable.`;
  const notes = count === 0 ? model.notes : [...model.notes, note, listOmitted(omitted)];
  return {
    ...model,
    steps: kept
      .map((step, index) => (isClean(step.name) ? step : { ...step, name: `step ${index + 1}` }))
      .filter((step) => countRequests([step]) > 0),
    variables: model.variables.map((variable) =>
      isClean(variable.description) ? variable : { ...variable, description: "A secret from the capture." },
    ),
    omissions: [...model.omissions, ...omitted],
    notes: notes.filter(isClean),
  };
}

const maxListed = 5;

function listOmitted(omitted: readonly Omission[]): string {
  const shown = omitted.slice(0, maxListed).map(({ method, url }) => `${method} ${printable(url)}`);
  const more = omitted.length - shown.length;
  return `Omitted: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** Keeps those parts of its address that have no secret in them. */
function omissionOf(
  { entryIndex, method, origin, path }: CapturedRequest,
  isClean: Accept<string>,
): Omission {
  const segments = path.map(({ value }) => {
    const text = knownText(value) ?? masked;
    return isClean(text) ? maskSegment(encodeURIComponent(text)) : masked;
  });
  const url = `${origin}/${segments.join("/")}`;
  return {
    entryIndex,
    method: isClean(method) ? method : masked,
    url: isClean(url) ? url : `${origin}/${masked}`,
    host: new URL(origin).host,
    reason: "has a secret that no variable can replace",
  };
}

function keepRequests(
  step: CapturedStep,
  canBeWritten: Accept<CapturedRequest>,
  isClean: Accept<string>,
): CapturedStep {
  const waves = step.waves.map((wave) => ({
    ...wave,
    requests: wave.requests
      .filter(canBeWritten)
      .map((request) => ({ ...request, hints: request.hints.filter(isClean) })),
  }));
  return { ...step, waves };
}

function countRequests(steps: readonly CapturedStep[]): number {
  return steps.reduce((sum, { waves }) => sum + waves.flatMap(({ requests }) => requests).length, 0);
}

/** Finds texts that every test contains: a password `shared-iterations` is not revealed by any of them. */
export function findFixedWords(options: TestOptions): (text: string) => boolean {
  const source = joinLines(joinSource(writeSource(everything, planParts(everything), options)));
  return (text) => source.includes(joinLines(text));
}

/** Where lines end is for the formatter to say. */
function joinLines(text: string): string {
  return text.replace(/(\s|\/\/ )+/g, "");
}

// What follows is a capture that needs all that tests are written with. Names in it are too short to be a secret.

const origin = "http://a";

function atomOf(name: string, value: Value | string): Atom {
  return { name, value: typeof value === "string" ? textValue(value) : value, written: null };
}

function requestOf(rest: Partial<CapturedRequest> = {}): CapturedRequest {
  return {
    entryIndex: 0,
    redirectedTo: [],
    method: "GET",
    origin,
    path: [atomOf("", "1")],
    query: [],
    headers: [],
    referer: null,
    name: null,
    body: null,
    recordedStatus: 200,
    landsOn: null,
    proofs: [],
    extractions: [],
    hints: [],
    outlasts: false,
    recorded: null,
    ...rest,
  };
}

function stepOf(kind: CapturedStep["kind"], waves: readonly (readonly CapturedRequest[])[]): CapturedStep {
  return {
    kind,
    name: kind === "page" ? "a" : "b",
    waves: waves.map((requests) => ({ afterMs: 20, requests })),
    recordedMs: 1,
    thinkAfterMs: 400_000,
  };
}

const made: readonly FreshValue[] = [
  "uuid",
  "milliseconds",
  "seconds",
  "iso date",
  "fraction",
  { digits: 20 },
];
const parts: readonly ValuePart[] = [
  ...[null, "id"].flatMap((id) => made.map((what): ValuePart => ({ kind: "fresh", what, id }))),
  { kind: "variable", name: "A" },
  { kind: "extracted", name: "a" },
  { kind: "cookie", name: "a", origin },
  { kind: "cookie", name: "a", origin, isDecoded: true },
  { kind: "column", table: "a", column: "a", row: 1 },
];
const extractors: readonly Extractor[] = [
  { json: "a" },
  { meta: "a" },
  { header: "a" },
  { query: "a" },
  { field: "a", nth: 1 },
  { between: ["a", "b"] as const, nth: 1 },
];
const names = ["a", "b", "c", "d", "e", "f"];
const extractions = extractors.map((from, index) => ({ name: names[index] ?? "", from }));

const fields = parts.map((part) => atomOf("a", [part]));
const number = { kind: "number", atom: atomOf("a", [{ kind: "extracted", name: "a" }]) } as const;
const file = { atom: atomOf("a", "1"), fileName: "a", contentType: "a/b" };
const chosen = { atom: atomOf("a", ""), fileName: "a", contentType: "a/b", file: "A" };
const bodies: readonly CapturedBody[] = [
  { kind: "json", root: { kind: "list", items: [number] }, written: "" },
  { kind: "form", fields },
  { kind: "multipart", boundary: "a", parts: [file, chosen] },
  { kind: "text", text: atomOf("", "1") },
  { kind: "bytes", base64: "AA==" },
];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "A"];
const accepted = ["text/html", "application/json", "image/*", "text/css"];
const headers = [
  ...accepted.map((type) => atomOf("accept", type)),
  atomOf("x-requested-with", "a"),
  atomOf("a", "b"),
  atomOf("content-type", "multipart/form-data"),
];
const token: Value = [...textValue("Bearer "), { kind: "variable", name: "A" }];

const proofs: readonly Proof[] = [
  { kind: "field", name: "ok", value: true },
  { kind: "no errors" },
  { kind: "session", cookie: "a", url: `${origin}/a`, isReplaced: true },
];

const everything: CaptureModel = {
  origin,
  hosts: [origin, "http://b"],
  steps: [
    stepOf("page", [
      ...methods.map((method) => [requestOf({ method })]),
      [requestOf({ method: "POST", proofs, landsOn: "/a" })],
      ...[...headers, ...headers].map((header) => [requestOf({ headers: [header] })]),
      [requestOf({ extractions, headers: [atomOf("authorization", token)], landsOn: "/a", outlasts: true })],
      [requestOf({ path: [], query: fields, extractions: [{ name: "g", from: { json: "a" } }] })],
      [200, 200, 304, 404, 302, null].map((recordedStatus) => requestOf({ recordedStatus })),
    ]),
    stepOf("group", [
      ...bodies.map((body) => [requestOf({ method: "POST", headers: headers.slice(-1), body })]),
      [requestOf({ query: names.map((name) => atomOf(name, [{ kind: "extracted", name }])) })],
      [requestOf({ query: [atomOf("operationName", "a")] })],
    ]),
  ],
  connections: 7,
  cookies: [
    { name: "__Host-", origin: "http://b", value: textValue("a") },
    { name: "a", origin, value: [{ kind: "variable", name: "B" }] },
  ],
  variables: [
    { name: "A", description: "A secret from the capture.", isOptional: false },
    { name: "B", description: "May stay empty.", isOptional: true },
  ],
  sendsOrigin: true,
  tables: [{ name: "a", columns: ["a"], rows: [["a"]] }],
  omissions: [],
  findings: [],
  notes: [],
};
