import * as z from "zod";

import { durationSchema, type Duration } from "../duration/duration.ts";
import { optionsObject } from "../validation/option-schemas.ts";

/** One stage of a ramp: from the previous target to `target`, in a straight line. */
export interface Stage {
  /** The length of the stage. With 0, the ramp jumps to `target`. */
  readonly duration: Duration;
  /** The target at the end of the stage: virtual users, or iterations per `timeUnit`. */
  readonly target: number;
}

/** The stages of a ramp. */
export type Stages = readonly Stage[];

/** A validated stage of a ramp. */
export interface ValidatedStage {
  readonly durationMs: number;
  readonly target: number;
}

export function stagesOf(target: z.ZodType<number>): z.ZodType<ValidatedStage[]> {
  const stage = optionsObject("a stage", { duration: durationSchema(0), target });
  return z
    .array(stage.transform(({ duration, ...rest }) => ({ durationMs: duration, target: rest.target })))
    .min(1)
    .refine((stages) => stages.length === 0 || !stages.every(({ durationMs }) => durationMs === 0), {
      error: "must be longer than 0 in total",
    });
}
