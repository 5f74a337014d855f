import { basename } from "node:path";

/** The placeholder for the test's name in the path of a report. */
const testPlaceholder = "{test}";

/**
 * Returns a unique name for each file, usable in a path: `home` for `load/home.load.ts`, or `load-home` if
 * another file has that name.
 */
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

/** Returns the reports of one test, with its name in their paths. */
export function reportsOf(outs: readonly string[], name: string): string[] {
  return outs.map((text) => text.replaceAll(testPlaceholder, name));
}

/**
 * Returns a sentence for each report that several tests would write to the same file. `writesFile` is true
 * for outs that write one.
 */
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

/** Inserts the placeholder before the path's ending. */
function withPlaceholder(path: string): string {
  return path.replace(/(\.[^./\\]+)?$/, `-${testPlaceholder}$1`);
}
