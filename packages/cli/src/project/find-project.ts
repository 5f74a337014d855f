import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import { errorCode } from "@bearhug/text/caught-error";
import { foldersAround } from "@bearhug/text/find-upwards";

import { type PackageManager, packageManagers, type Project } from "./project.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the project of a folder, which need not exist. @throws {InvalidInput} if a file cannot be read */
export function findProject(directory: string, environment: Environment): Project {
  const start = resolve(directory);
  const above = foldersAround(start);
  const repository = above.find((folder) => existsSync(join(folder, ".git")));
  const own = repository === undefined ? [start] : above.slice(0, above.indexOf(repository) + 1);
  const folder = own.find((one) => existsSync(join(one, "package.json"))) ?? start;
  const root = repository ?? folder;
  const between = own.filter((one) => folder === one || folder.startsWith(withSeparator(one)));
  const path = relative(root, folder).split(sep).join("/");
  return {
    root,
    prefix: path === "" ? "" : `${path}/`,
    name: packageName(basename(folder)),
    packageManager: findPackageManager(between, environment),
    read: (file) => readText(join(root, file)),
  };
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}

/** Returns a name that npm accepts. */
function packageName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z\d._-]+/g, "-")
    .replaceAll(/^[._-]+|-+$/g, "");
  return name === "" ? "load-tests" : name;
}

const lockfiles: readonly (readonly [file: string, manager: PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["pnpm-workspace.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/**
 * Determines the package manager: by the nearest lockfile, then by `packageManager` in a `package.json`, then
 * by the one that runs this process.
 */
function findPackageManager(folders: readonly string[], environment: Environment): PackageManager {
  for (const folder of folders)
    for (const [file, manager] of lockfiles) if (existsSync(join(folder, file))) return manager;
  const declared = folders.map((folder) => declaredManager(readText(join(folder, "package.json"))));
  const running = managerNamed(environment["npm_config_user_agent"]);
  return declared.find((one) => one !== undefined) ?? running ?? "npm";
}

function declaredManager(manifest: string | null): PackageManager | undefined {
  return managerNamed(/"packageManager"\s*:\s*"([^"]*)"/.exec(manifest ?? "")?.[1]);
}

/** Returns the package manager in a text such as `pnpm@10.1.0` or `pnpm/10.1.0 npm/? node/v24.0.0`. */
function managerNamed(text: string | undefined): PackageManager | undefined {
  return packageManagers.find((name) => new RegExp(`^${name}[@/]`).test(text ?? ""));
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = errorCode(cause) ?? String(cause);
    if (code === "ENOENT") return null;
    throw new InvalidInput([`${path}: cannot be read (${code}).`], { cause });
  }
}
