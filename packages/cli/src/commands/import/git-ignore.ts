import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

import { realFolder } from "@bearhug/report/file-output/file-identity";
import { foldersAround } from "@bearhug/text/find-upwards";

/** Git's treatment of a file that must not be shared. */
export type Tracking =
  /** The file is ignored, or not in a repository. */
  | { readonly kind: "safe" }
  | { readonly kind: "tracked" }
  /** `git add` would include the file, unless the `.gitignore` at `path` had this content. */
  | { readonly kind: "not ignored"; readonly path: string; readonly content: string };

/** Asks git how it would treat a file, which need not exist yet. */
export async function findTracking(file: string): Promise<Tracking> {
  const folder = realFolder(dirname(file));
  const root = foldersAround(folder).find((one) => existsSync(join(one, ".git")));
  if (root === undefined) return { kind: "safe" };
  const path = join(folder, basename(file));
  const ask = (...arguments_: string[]): Promise<boolean> => succeeds([...arguments_, "--", path], root);
  if (await ask("ls-files", "--error-unmatch")) return { kind: "tracked" };
  if (await ask("check-ignore", "--quiet")) return { kind: "safe" };
  const within = foldersAround(folder).filter((one) => one.startsWith(root));
  const holder = within.find((one) => existsSync(join(one, ".gitignore"))) ?? root;
  const ignore = join(holder, ".gitignore");
  const before = existsSync(ignore) ? readFileSync(ignore, "utf8") : "";
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  return {
    kind: "not ignored",
    path: relative(process.cwd(), ignore),
    content: `${before}${gap}${basename(file)}\n`,
  };
}

/**
 * True if a git command succeeds. Variables such as GIT_DIR are removed: they could select another
 * repository.
 */
function succeeds(arguments_: readonly string[], cwd: string): Promise<boolean> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return new Promise((resolve) => {
    execFile("git", arguments_, { cwd, env }, (error) => resolve(error === null));
  });
}
