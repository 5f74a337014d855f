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

/** Writes a position in the form that editors recognize: `file:line:column`. */
export function writePosition({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

/**
 * Returns ` at file:line:column`, the end of a sentence about an event; an empty string if the position is
 * unknown.
 */
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
