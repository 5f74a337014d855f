import type { Extractor } from "@bearhug/sdk";
import type { CapturedBody, CapturedRequest, CapturedStep, CaptureModel, Proof } from "../capture-model.ts";
import { type Atom, type FreshValue, textValue, type Value, type ValuePart } from "../value.ts";

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
    renewedStatus: null,
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

const freshValues: readonly FreshValue[] = [
  "uuid",
  "milliseconds",
  "seconds",
  "iso date",
  "fraction",
  { digits: 20 },
];
const parts: readonly ValuePart[] = [
  ...[null, "id"].flatMap((id) => freshValues.map((what): ValuePart => ({ kind: "fresh", what, id }))),
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
  { segment: 1 },
  { field: "a", nth: 1 },
  { between: ["a", "b"] as const, nth: 1 },
];
const names = ["a", "b", "c", "d", "e", "f", "h"];
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
  { kind: "type", type: "HTML" },
  { kind: "type", type: "JSON" },
  { kind: "type", type: "other" },
  { kind: "field", name: "ok", value: true },
  { kind: "no errors" },
  { kind: "grpc status", code: 0 },
  { kind: "no field", name: "a" },
  { kind: "session", cookie: "a", url: `${origin}/a`, isReplaced: true },
];

/**
 * A synthetic capture that needs everything tests are written with: its test has every text of the code that
 * writes tests. Names in it are too short to be secrets.
 */
export const captureOfAllWords: CaptureModel = {
  origin,
  hosts: [origin, "http://b"],
  steps: [
    stepOf("page", [
      ...methods.map((method) => [requestOf({ method })]),
      [requestOf({ method: "POST", proofs, landsOn: "/a" })],
      ...[...headers, ...headers].map((header) => [requestOf({ headers: [header] })]),
      [requestOf({ extractions, headers: [atomOf("authorization", token)], landsOn: "/a", outlasts: true })],
      [requestOf({ path: [atomOf("a", [{ kind: "extracted", name: "a" }])] })],
      [requestOf({ path: [], query: fields, extractions: [{ name: "g", from: { json: "a" } }] })],
      [200, 200, 304, 404, 302, null].map((recordedStatus) => requestOf({ method: "A", recordedStatus })),
    ]),
    stepOf("page", [[requestOf()]]),
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
