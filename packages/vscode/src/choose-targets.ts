import type { Target } from "./command-lines.ts";

/** A test or one of its scenarios, selected in the Test Explorer. */
export interface Choice {
  readonly file: string;
  /** The scenario; null for the whole test. */
  readonly scenario: string | null;
}

/** Returns the runs for a selection: one for each test, with all its scenarios or some. */
export function chooseTargets(
  chosen: readonly Choice[],
  excluded: readonly Choice[],
  scenariosOf: (file: string) => readonly string[],
): Target[] {
  const isExcluded = (file: string, scenario: string | null): boolean =>
    excluded.some((one) => one.file === file && one.scenario === scenario);
  const files = [...new Set(chosen.map(({ file }) => file))].filter((file) => !isExcluded(file, null));
  return files.flatMap((file): Target[] => {
    const all = scenariosOf(file);
    const isWhole = chosen.some((one) => one.file === file && one.scenario === null);
    const selected = all.filter(
      (name) =>
        !isExcluded(file, name) &&
        (isWhole || chosen.some((one) => one.file === file && one.scenario === name)),
    );
    if (isWhole && selected.length === all.length) return [{ file, scenarios: null }];
    return selected.length === 0 ? [] : [{ file, scenarios: selected }];
  });
}
