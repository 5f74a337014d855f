import type { ValidatedTest } from "@bearhug/sdk/internal";

/** The texts of a test that `--grep` searches: its file, its name, its scenarios, and its tags as `name=value`. */
export function isMatch(pattern: RegExp, file: string, { name, scenarios, tags }: ValidatedTest): boolean {
  const texts = [
    file,
    name ?? "",
    ...scenarios.map((scenario) => scenario.name),
    ...[tags, ...scenarios.map((scenario) => scenario.tags)].flatMap((given) =>
      Object.entries(given).map(([tag, value]) => `${tag}=${value}`),
    ),
  ];
  return texts.some((text) => pattern.test(text));
}

/** Reads `--grep`: a regular expression, in which small and capital letters are the same. */
export function readPattern(text: string, problems: string[]): RegExp | null {
  try {
    return new RegExp(text, "iu");
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : "";
    problems.push(`--grep ${text}: is not a regular expression: ${why}.`);
    return null;
  }
}
