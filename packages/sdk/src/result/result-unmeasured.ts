import * as z from "zod";
import { sourcePositionSchema } from "./source-position.ts";
import type { SourcePosition } from "./source-position.ts";
import { count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

export const trafficStages = ["module", "setup", "load", "teardown"] as const;

/**
 * Traffic between the test's own code and one host that bypassed bearhug's `http`. No other figure of the
 * result includes it.
 */
export interface UnmeasuredResult {
  /** The host with its port; `(other)` for hosts beyond the first 50. */
  readonly host: string;
  /** The stage of the run; `module` is the test's code outside of functions. */
  readonly stage: (typeof trafficStages)[number];
  /** Requests of fetch, node:http and undici. */
  readonly requests: number;
  /** Connections that were opened; most of them carry `requests`. */
  readonly connections: number;
  /** Connections that bearhug blocked, because the test does not name the host. */
  readonly refused: number;
  /** The place in the test that first contacted the host; null if unknown. */
  readonly source: SourcePosition | null;
}

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
