import { createRequire } from "node:module";
import { join } from "node:path";

import { errorCode } from "@bearhug/text/caught-error";

import type * as playwright from "playwright-core";

export type Playwright = Pick<typeof playwright, "chromium">;

/** The packages that drive browsers, all with the same API. */
const names = ["playwright-core", "playwright", "@playwright/test"];

/** Loads Playwright from the folder's own packages, otherwise from beside bearhug; null if neither has it. */
export function loadPlaywright(folder: string): Playwright | null {
  for (const require of [createRequire(join(folder, "package.json")), createRequire(import.meta.url)]) {
    for (const name of names) {
      const loaded = requireInstalled(require, name);
      if (isPlaywright(loaded)) return loaded;
    }
  }
  return null;
}

function requireInstalled(require: NodeJS.Require, name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    if (errorCode(error) === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

function isPlaywright(loaded: unknown): loaded is Playwright {
  return typeof loaded === "object" && loaded !== null && "chromium" in loaded;
}
