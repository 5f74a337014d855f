import { z } from "@bearhug/sdk/internal";
import { durationSchema } from "../validation/duration.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import type { ValidatedStage } from "../pacing/load-over-time.ts";

/** Returns the schema of a ramp's stages, whose targets have this schema. */
export function stagesOf(target: z.ZodType<number>): z.ZodType<ValidatedStage[]> {
  const stage = optionsObject("a stage", { duration: durationSchema(0), target });
  return z
    .array(stage.transform(({ duration, ...rest }) => ({ durationMs: duration, target: rest.target })))
    .min(1)
    .refine((stages) => stages.length === 0 || !stages.every(({ durationMs }) => durationMs === 0), {
      error: "must be longer than 0 in total",
    });
}

/** Returns the schema of a ramp's stages in recordings. */
export function recordedStages(): z.ZodType<ValidatedStage[]> {
  const time = z.number().nonnegative();
  return z.array(z.object({ durationMs: time, target: time }));
}
