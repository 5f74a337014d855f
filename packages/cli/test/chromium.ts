import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { type Browser, chromium } from "playwright-core";

const folders = (process.env["PATH"] ?? "").split(delimiter);
const installed = folders.map((folder) => join(folder, "chromium")).find((path) => existsSync(path));

/** Whether there is a browser to record with; where BEARHUG_REQUIRE_TOOLS is set, tests that find none fail. */
export const hasChromium = process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || installed !== undefined;

/** The system's Chromium: playwright-core brings none along and loads none down. */
export async function launchChromium(): Promise<Browser> {
  if (installed === undefined) throw new Error("There is no chromium in the PATH.");
  // Containers have little shared memory; without the flag, pages crash in it.
  return chromium.launch({ executablePath: installed, args: ["--disable-dev-shm-usage"] });
}
