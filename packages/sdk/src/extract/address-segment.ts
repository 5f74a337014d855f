import type { Answer } from "./answer.ts";

/** The segments of the path of an answer's `location`, or, without one, of the address that answered; decoded, none is empty. */
export function addressSegments(answer: Answer): string[] {
  const [address = ""] = (answer.header("location") ?? answer.url).split(/[?#]/, 1);
  const path = address.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/\\]*/i, "");
  return path.split("/").filter(Boolean).map(decode);
}

/** The nth segment, from 1; from the end where it is negative. null where the path has not as many. */
export function segmentAt(segments: readonly string[], nth: number): string | null {
  return segments.at(nth < 0 ? nth : nth - 1) ?? null;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
