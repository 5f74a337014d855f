import { readTexts } from "./json-file.ts";
import type { PlannedFile } from "./planned-file.ts";
import type { Project } from "./project.ts";

/** The project's own `tsconfig.json`, if it compiles the tests, too: then the application's build may stumble over them. */
export function warnOfCompiledTests(
  { prefix, read }: Pick<Project, "prefix" | "read">,
  folder: string,
): PlannedFile[] {
  const path = `${prefix}tsconfig.json`;
  const existing = read(path);
  if (existing === null || !hasTests(existing, folder)) return [];
  const why = `compiles ${folder}, too; add "${folder}" to its "exclude" if your build must not`;
  return [{ kind: "kept", path, why }];
}

/** A project without a list of files has every file below it. */
function hasTests(tsconfig: string, folder: string): boolean {
  const listed = readTexts(tsconfig, "include") ?? (readTexts(tsconfig, "files") === null ? ["**/*"] : []);
  const isOf = (pattern: string): boolean =>
    /^(?:\.\/)?(?:\*|$)/.test(pattern) || pattern.replace(/^\.\//, "").split("/")[0] === folder;
  return listed.some(isOf) && !(readTexts(tsconfig, "exclude") ?? []).some(isOf);
}
