import { z, isRecord, once } from "@bearhug/sdk/internal";
import { durationSchema } from "../validation/duration.ts";
import { chosenSchema, optionsObject } from "../validation/option-schemas.ts";

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
