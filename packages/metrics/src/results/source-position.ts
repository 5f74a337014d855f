import type { SourcePosition } from "@bearhug/sdk/result";

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
