/**
 * A path as a pattern, where segments of it are values of that one recording: a UUID or time that the browser made, an
 * e-mail address, a token. null where no segment is.
 */
export function changingSegments(path: string): readonly (string | null)[] | null {
  const segments = path.split("/").map((segment) => (isOfRecording(segment) ? null : segment));
  return segments.includes(null) ? segments : null;
}

/** Whether a path is like the pattern; what stands for a value may be empty, as a variable that is not set. */
export function matchesSegments(path: string, pattern: readonly (string | null)[]): boolean {
  const segments = path.split("/");
  if (segments.length !== pattern.length) return false;
  return pattern.every((segment, index) => segment === null || segment === segments[index]);
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const milliseconds = /^1\d{12}$/;
const jwt = /^[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/;
const token = /^(?=.*\d)(?=.*[a-z])[\w%=+~-]{16,}$/i;

function isOfRecording(segment: string): boolean {
  const hasAt = segment.search(/@|%40/i) > 0;
  return hasAt || [uuid, milliseconds, jwt, token].some((shape) => shape.test(segment));
}
