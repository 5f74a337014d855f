import type { SampleRule } from "@bearhug/plan/protocol/shared-samples";

/**
 * Reads `--samples`; null if it is not given. Adds a sentence to `problems` if it cannot be used.
 * @param path of the file for the samples; null if there is none
 */
export function readSampleRule(
  text: string | undefined,
  path: string | null,
  problems: string[],
): SampleRule | null {
  if (text === undefined) return null;
  const rule = parseRule(text);
  if (rule === null)
    problems.push(`--samples ${text}: write all, errors, or a share of the requests such as 1%.`);
  if (path === null) problems.push(`--samples ${text}: samples need a file. Add --out ndjson=FILE.`);
  return rule;
}

function parseRule(text: string): SampleRule | null {
  if (text === "all" || text === "errors") return { kind: text };
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  const share = Number(percent) / 100;
  return share > 0 && share <= 1 ? { kind: "share", share } : null;
}
