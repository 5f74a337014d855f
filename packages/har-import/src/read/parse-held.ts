import type { Finding } from "../capture.ts";
import { maxElementBytes, maxNesting } from "./limits.ts";
import type { ValueCutter } from "./value-cutter.ts";

const maxMiB = maxElementBytes / 2 ** 20;

/** The JSON that was cut out; null where it cannot be used, which is then a finding. */
export function parseHeld(
  { held, isTooDeep }: ValueCutter,
  path: string,
  findings: Finding[],
): { readonly json: unknown } | null {
  const leaveOut = (problem: string): null => {
    findings.push({ path, problem: `${problem}: it is left out` });
    return null;
  };
  if (held.isTooLarge) return leaveOut(`is larger than ${maxMiB} MiB`);
  if (isTooDeep) return leaveOut(`has brackets more than ${maxNesting} deep`);
  if (held.hasTooLargeBody) {
    const body = `${path}.response.content.text`;
    findings.push({ path: body, problem: `makes the entry larger than ${maxMiB} MiB: the body is left out` });
  }
  try {
    return { json: JSON.parse(held.text()) as unknown };
  } catch {
    // The engine's own words are of no use: they quote the file, which has secrets.
    return leaveOut("is no JSON");
  }
}
