import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";

/** True if `--grep` matches a test: its file, its name, its scenarios, or its tags as `name=value`. */
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

/** Parses `--grep`, a case-insensitive regular expression. */
export function readPattern(text: string, problems: string[]): RegExp | null {
  try {
    return new RegExp(text, "iu");
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : "";
    problems.push(`--grep ${text}: is not a regular expression: ${why}.`);
    return null;
  }
}
