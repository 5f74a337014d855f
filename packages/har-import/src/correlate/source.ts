import type { Extractor } from "@bearhug/sdk";
import type { CapturedRequest, CaptureModel } from "../capture-model.ts";

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

/** A place in a response with a value that a request sends later. */
export interface Sighting {
  readonly value: string;
  readonly from: Extractor;
  /** Its name in the response: a key, a field, a parameter. */
  readonly name: string;
  /** The key that it is within: `order` of `order.id`; "" where there is none. */
  readonly within: string;
  /** True for one of several similar values: a person chose this one. */
  readonly isOneOfMany: boolean;
  /** True at the end of an address in JSON: `7f` of `{"self":"/albums/7f"}`. */
  readonly endsLink?: boolean;
}

/** Receives a sighting; called in the order of the response. */
export type ReportSighting = (sighting: Sighting) => void;

/** Returns true if a later request sends the value. */
export type IsWanted = (value: string) => boolean;

/** A request with its position in the replay. */
export interface PlacedRequest {
  readonly request: CapturedRequest;
  /** Place in the order of sending, from 0. */
  readonly place: number;
  /** Number of its wave, counted through all steps. */
  readonly wave: number;
  /** The first wave whose requests can use its response: by then, a replay has waited for it. */
  readonly knownFrom: number;
}

/** Returns all requests in the order of sending. */
export function placeRequests({ steps }: CaptureModel): PlacedRequest[] {
  const placed: PlacedRequest[] = [];
  let wave = 0;
  for (const { waves } of steps) {
    const nextStep = wave + waves.length;
    for (const { requests } of waves) {
      for (const request of requests) {
        const knownFrom = request.outlasts ? nextStep : wave + 1;
        placed.push({ request, place: placed.length, wave, knownFrom });
      }
      wave++;
    }
  }
  return placed;
}
