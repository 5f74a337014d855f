import type { Extractor } from "@bearhug/sdk";

/** A place in an answer where a value stands that a request sends later. */
export interface Sighting {
  readonly value: string;
  readonly from: Extractor;
  /** What the answer calls it: a key, a field, a parameter. */
  readonly name: string;
  /** The key that it is within: `order` of `order.id`; "" where there is none. */
  readonly within: string;
  /** Whether others like it stand beside it: to take this one was a person's choice. */
  readonly isOneOfMany: boolean;
}

/** Takes a sighting; called in the order in which they stand. */
export type Tell = (sighting: Sighting) => void;

/** Whether a later request sends a value. */
export type IsWanted = (value: string) => boolean;
