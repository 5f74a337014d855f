import type { PlacedRequest } from "./send-order.ts";
import type { Sighting } from "./sighting.ts";

/** An answer that hands out a value. */
export interface Source {
  readonly by: PlacedRequest;
  readonly seen: Sighting;
}

/** A cookie that an answer set, or that the browser brought along. */
export interface CookieSource {
  readonly name: string;
  readonly origin: string;
  /** As a request sends it. */
  readonly value: string;
  /** The first wave whose requests have it. */
  readonly knownFrom: number;
}

/** What the recorded answers say of the values that requests send. */
export interface Answers {
  /** By value, the best first. */
  readonly sources: ReadonlyMap<string, readonly Source[]>;
  /** By name, in the order in which they were set. */
  readonly cookies: ReadonlyMap<string, readonly CookieSource[]>;
  /** Of a value that stands anywhere in an answer, the first wave that may know it. */
  readonly knownFrom: ReadonlyMap<string, number>;
  /** The first wave that may know something of an answer whose body was not recorded. */
  readonly unknownFrom: number;
  /** When requests were recorded, by the place of their entry. */
  readonly startedAtMs: ReadonlyMap<number, number>;
}
