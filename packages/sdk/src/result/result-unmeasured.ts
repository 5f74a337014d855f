import * as z from "zod";
import { sourcePositionSchema } from "./source-position.ts";
import type { SourcePosition } from "./source-position.ts";
import { once } from "../validation/once.ts";

export const trafficStages = ["module", "setup", "load", "teardown"] as const;

/** Traffic between the test's own code and one host, around bearhug's http: it is in no figure of the result. */
export interface UnmeasuredResult {
  /** With its port; `(other)` for hosts beyond the first 50. */
  readonly host: string;
  /** When; `module` is the test's code outside of functions. */
  readonly stage: (typeof trafficStages)[number];
  /** Requests of fetch, node:http and undici. */
  readonly requests: number;
  /** Connections; most carry requests. */
  readonly connections: number;
  /** Connections that were refused, because the test does not name the host. */
  readonly refused: number;
  /** The place in the test that did so first; null if unknown. */
  readonly source: SourcePosition | null;
}

const count = once(() => z.int().nonnegative());

export const unmeasuredSchema: () => z.ZodType<UnmeasuredResult> = once(() =>
  z.object({
    host: z.string(),
    stage: z.enum(trafficStages),
    requests: count(),
    connections: count(),
    refused: count(),
    source: sourcePositionSchema().nullable(),
  }),
);
