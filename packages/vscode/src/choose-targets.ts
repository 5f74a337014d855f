import type { Target } from "./command-lines.ts";

/** A test or one of its scenarios that somebody chose in the Test Explorer. */
export interface Choice {
  readonly file: string;
  /** Null: the whole test. */
  readonly scenario: string | null;
}

/** The runs that choices ask for: one for each test, of all its scenarios or of some. */
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
    const wanted = all.filter(
      (name) =>
        !isExcluded(file, name) &&
        (isWhole || chosen.some((one) => one.file === file && one.scenario === name)),
    );
    if (isWhole && wanted.length === all.length) return [{ file, scenarios: null }];
    return wanted.length === 0 ? [] : [{ file, scenarios: wanted }];
  });
}
