import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the workspace's package.json. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * @param {string} path
 * @returns {unknown}
 */
export function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** The fields of the workspace's package.json that scripts need. */
export const workspace =
  /** @type {{ repository: string, packageManager: string, scripts: Record<string, string> }} */ (
    readJson(join(root, "package.json"))
  );
