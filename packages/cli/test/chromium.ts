import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { type Browser, chromium } from "playwright-core";

const folders = (process.env["PATH"] ?? "").split(delimiter);

function find(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const installed = find("chromium");

/** Whether there is a browser to record with; where BEARHUG_REQUIRE_TOOLS is set, tests that find none fail. */
export const hasChromium = process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || installed !== undefined;

/** The system's Chromium: playwright-core brings none along and loads none down. */
export async function launchChromium(): Promise<Browser> {
  return launch(installed);
}

/** Chromium without its windows, if the system has that: it starts and draws pages with half of the CPU time. */
export async function launchForPages(): Promise<Browser> {
  return launch(find("chromium-headless-shell") ?? installed);
}

async function launch(executablePath: string | undefined): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no chromium in the PATH.");
  // Containers have little shared memory; without the flag, pages crash in it.
  return chromium.launch({ executablePath, args: ["--disable-dev-shm-usage"] });
}
