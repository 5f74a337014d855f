import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

import { realFolder } from "@bearhug/report/file-output/file-identity";
import { foldersAround } from "@bearhug/text/folders-around";

/** Git's treatment of a file that must not be shared. */
export type Tracking =
  /** Nothing: the file is ignored, or in no repository. */
  | { readonly kind: "safe" }
  | { readonly kind: "tracked" }
  /** It would be added with the others, unless this `.gitignore` had this content. */
  | { readonly kind: "not ignored"; readonly path: string; readonly content: string };

/** Asks git about a file, which need not be there yet. */
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

/** Variables such as GIT_DIR would name another repository than the one that the file is in. */
function succeeds(arguments_: readonly string[], cwd: string): Promise<boolean> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return new Promise((resolve) => {
    execFile("git", arguments_, { cwd, env }, (error) => {
      resolve(error === null);
    });
  });
}
