import type { CapturedRequest, CapturedStep, CaptureModel } from "../../src/capture-model.ts";
import { type Atom, textValue, type Value, type ValuePart } from "../../src/value.ts";

export const site = "https://shop.test";

/** Returns a GET request of a path, recorded with status 200, unless overridden. */
export function requestOf(path: string, rest: Partial<CapturedRequest> = {}): CapturedRequest {
  return {
    entryIndex: 0,
    redirectedTo: [],
    method: "GET",
    origin: site,
    path: path
      .slice(1)
      .split("/")
      .map((segment) => ({ name: "", value: textValue(segment), written: segment })),
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

/** Returns a page whose requests are sent in these waves. */
export function stepOf(
  waves: readonly (readonly CapturedRequest[])[],
  rest: Partial<CapturedStep> = {},
): CapturedStep {
  return {
    kind: "page",
    name: "home",
    waves: waves.map((requests) => ({ afterMs: 0, requests })),
    recordedMs: null,
    thinkAfterMs: 0,
    ...rest,
  };
}

export function modelOf(steps: readonly CapturedStep[], rest: Partial<CaptureModel> = {}): CaptureModel {
  return {
    origin: site,
    hosts: [site],
    steps,
    connections: 6,
    cookies: [],
    variables: [],
    sendsOrigin: false,
    tables: [],
    omissions: [],
    findings: [],
    notes: [],
    ...rest,
  };
}

/** Returns an atom made of texts and parts that are known only at run time. */
export function atomOf(name: string, ...value: readonly (ValuePart | string)[]): Atom {
  return {
    name,
    value: value.flatMap((part): Value => (typeof part === "string" ? textValue(part) : [part])),
    written: null,
  };
}
