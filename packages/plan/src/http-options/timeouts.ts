import * as z from "zod";
import { type Duration, durationSchema } from "../duration/duration.ts";
import { isRecord } from "../validation/is-record.ts";
import { chosenSchema, optionsObject } from "../validation/option-schemas.ts";
import { once } from "../validation/once.ts";

/**
 * The timeouts of an exchange. A timeout that you leave out comes from the scenario, else from the test; if
 * neither sets it, the part has no timeout of its own.
 */
export interface Timeouts {
  /** The time for opening a connection: DNS, TCP, proxy and TLS. @default only `whole` applies */
  readonly connect?: Duration;
  /** The time from the end of the request to the first byte of the response. @default only `whole` applies */
  readonly firstByte?: Duration;
  /** The time for the whole exchange, including the wait for a connection. @default "60s" */
  readonly whole?: Duration;
}

/** Timeouts with defaults filled in, in milliseconds. Null for no timeout of its own. */
export interface ValidatedTimeouts {
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly wholeMs: number;
}

/** The timeouts that a test or a scenario sets. */
export type GivenTimeouts = { readonly [Part in keyof ValidatedTimeouts]?: number | undefined };

export const defaultTimeouts: ValidatedTimeouts = { connectMs: null, firstByteMs: null, wholeMs: 60_000 };

const parts: () => z.ZodType<GivenTimeouts> = once(() =>
  optionsObject("timeout", {
    connect: durationSchema().optional(),
    firstByte: durationSchema().optional(),
    whole: durationSchema().optional(),
  }).transform(({ connect, firstByte, whole }) => ({
    connectMs: connect,
    firstByteMs: firstByte,
    wholeMs: whole,
  })),
);

const whole: () => z.ZodType<Pick<GivenTimeouts, "wholeMs">> = once(() =>
  durationSchema().transform((wholeMs) => ({ wholeMs })),
);

export const timeoutSchema: () => z.ZodType<GivenTimeouts> = once(() =>
  chosenSchema((value) => (isRecord(value) ? parts() : whole())),
);

/** Replaces the timeouts that are set. */
export function mergeTimeouts(base: ValidatedTimeouts, given: GivenTimeouts): ValidatedTimeouts {
  return {
    connectMs: given.connectMs ?? base.connectMs,
    firstByteMs: given.firstByteMs ?? base.firstByteMs,
    wholeMs: given.wholeMs ?? base.wholeMs,
  };
}
