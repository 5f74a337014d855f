import * as z from "zod";
import { once } from "../validation/once.ts";

/** A place in the test's source, as the user wrote it. */
export interface SourcePosition {
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

export const sourcePositionSchema: () => z.ZodType<SourcePosition> = once(() =>
  z.object({
    file: z.string(),
    line: z.int().positive(),
    column: z.int().positive(),
  }),
);
