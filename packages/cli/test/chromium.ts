import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { type Browser, chromium } from "playwright-core";

const folders = (process.env["PATH"] ?? "").split(delimiter);

function find(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const installed = find("chromium");

/**
 * True if Chromium is installed, or if BEARHUG_REQUIRE_TOOLS is set, so that tests fail instead of being
 * skipped.
 */
export const hasChromium = process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || installed !== undefined;

/** Launches the system's Chromium: playwright-core neither includes nor downloads a browser. */
export async function launchChromium(): Promise<Browser> {
  return launch(installed);
}

/**
 * Launches the headless shell of Chromium if it is installed: it starts and renders pages with half of the
 * CPU time.
 */
export async function launchForPages(): Promise<Browser> {
  return launch(find("chromium-headless-shell") ?? installed);
}

async function launch(executablePath: string | undefined): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no chromium in the PATH.");
  // Containers have little shared memory; without the flag, pages crash.
  return chromium.launch({ executablePath, args: ["--disable-dev-shm-usage"] });
}
