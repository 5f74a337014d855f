import * as z from "zod";
import { once } from "../validation/once.ts";

/** A place in the test's source, as the user wrote it. */
export interface SourcePosition {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1. */
  readonly column: number;
}

/** As editors read it. */
export function writePosition({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

/** The end of a sentence about what happened there; empty for an unknown place. */
export function atPosition(position: SourcePosition | null | undefined): string {
  return position ? ` at ${writePosition(position)}` : "";
}

export const sourcePositionSchema: () => z.ZodType<SourcePosition> = once(() =>
  z.object({
    file: z.string(),
    line: z.int().positive(),
    column: z.int().positive(),
  }),
);
