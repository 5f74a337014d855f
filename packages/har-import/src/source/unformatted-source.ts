/** A test before it is formatted: the visit in pieces, which can be formatted one by one, and what stands around them. */
export interface UnformattedSource {
  /** Holds `visitMark` where the visit belongs. */
  readonly frame: string;
  /** Whole statements; between two pieces stands a blank line. */
  readonly pieces: readonly string[];
}

/** Stands for the visit: a statement of its own. */
export const visitMark = "theVisitStandsHere();";

export function joinSource({ frame, pieces }: UnformattedSource): string {
  return insertVisit(frame, visitMark, pieces.join("\n\n"));
}

/** Puts the visit in the place of the last mark: names of a capture stand before it, whatever they are. */
export function insertVisit(frame: string, mark: string, visit: string): string {
  const at = frame.lastIndexOf(mark);
  return frame.slice(0, at) + visit + frame.slice(at + mark.length);
}
