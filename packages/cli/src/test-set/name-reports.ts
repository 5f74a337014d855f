import { basename } from "node:path";

/** Stands for the test's name in the path of a report. */
const testPlaceholder = "{test}";

/** A name for each file that no other one has, fit for a path: `home` for `load/home.load.ts`, else `load-home`. */
export function reportNames(files: readonly string[]): ReadonlyMap<string, string> {
  const short = files.map((file) => plain(basename(file)));
  return new Map(
    files.map((file, index) => {
      const name = short[index] ?? "";
      const isUnique = short.indexOf(name) === short.lastIndexOf(name);
      return [
        file,
        isUnique
          ? name
          : plain(file)
              .replaceAll(/[/\\]+/g, "-")
              .replace(/^[.-]+/, ""),
      ];
    }),
  );
}

function plain(file: string): string {
  return file.replace(/(?:\.load)?\.[^./\\]+$/, "");
}

/** The reports of one test. */
export function reportsOf(outs: readonly string[], name: string): string[] {
  return outs.map((text) => text.replaceAll(testPlaceholder, name));
}

/** A sentence for each report of which several tests would write the same file. `writesFile` tells which outs do. */
export function sharedReportProblems(
  outs: readonly string[],
  tests: number,
  writesFile: (out: string) => boolean,
): string[] {
  if (tests < 2) return [];
  return outs
    .filter((text) => writesFile(text) && !text.includes(testPlaceholder))
    .map((text) => {
      const [kind = "", path] = text.split("=", 2);
      const example =
        path === undefined ? `${kind}=${testPlaceholder}.${kind}` : `${kind}=${withPlaceholder(path)}`;
      return `--out ${text}: ${tests} tests would write the same file. Put ${testPlaceholder} into the path, such as ${example}.`;
    });
}

/** Before the ending. */
function withPlaceholder(path: string): string {
  return path.replace(/(\.[^./\\]+)?$/, `-${testPlaceholder}$1`);
}
