import { isOfOneRecording } from "@bearhug/har-import";

/** A path as a pattern: null for each segment that is a value of that one recording. null where no segment is. */
export function changingSegments(path: string): readonly (string | null)[] | null {
  const recorded = path.split("/");
  const segments = recorded.map((segment, index) => (isOfOneRecording(recorded, index) ? null : segment));
  return segments.includes(null) ? segments : null;
}

/** Whether a path is like the pattern; what stands for a value may be empty, as a variable that is not set. */
export function matchesSegments(path: string, pattern: readonly (string | null)[]): boolean {
  const segments = path.split("/");
  if (segments.length !== pattern.length) return false;
  return pattern.every((segment, index) => segment === null || segment === segments[index]);
}
