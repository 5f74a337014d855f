import type { CapturedRequest } from "./capture-model.ts";
import { type Atom, knownText } from "./value.ts";

/** The wildcard segment of a pattern: ids differ from run to run. */
export const anySegment = ":id";

/** Returns a pattern with further segments replaced by wildcards. */
export function withAnySegments(pattern: string, isAny: (segment: string) => boolean): string {
  return pattern
    .split("/")
    .map((segment) => (segment !== "" && segment !== anySegment && isAny(segment) ? anySegment : segment))
    .join("/");
}

/** Returns true if a path matches a pattern. */
export function fitsPattern(pattern: string, path: string): boolean {
  const [expected, found] = [pattern.split("/"), path.split("/")];
  return (
    expected.length === found.length &&
    expected.every((segment, index) => segment === anySegment || segment === found[index])
  );
}

/** Returns the address where a request has to end, as a check takes it; null if the test does not check it. */
export function landingAddress({
  landsOn,
  landingQuery,
}: Pick<CapturedRequest, "landsOn" | "landingQuery">): string | null {
  return landsOn === null || landingQuery === undefined ? landsOn : `${landsOn}?${landingQuery}`;
}

/** Returns a path as a pattern: `:id` stands for what is known only when the test runs. */
export function patternOf(path: readonly Atom[]): string {
  return path.map(({ value }) => `/${knownText(value) ?? anySegment}`).join("");
}
