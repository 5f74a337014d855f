import { existsSync } from "node:fs";

import { InvalidInput } from "@bearhug/sdk";
import type { Browser, BrowserContext, Page } from "playwright-core";

import type { FoundBrowser } from "./find-browser.ts";
import type { Playwright } from "./load-playwright.ts";

/** A visit to be recorded. */
export interface RecordedVisit {
  readonly url: string;
  readonly browser: FoundBrowser;
  readonly isHeadless: boolean;
  /** Takes the first page, which has loaded, and resolves when the visit is over. */
  readonly drive: (page: Page) => Promise<void>;
  /** The path of the recording. */
  readonly har: string;
  /** Closes the browser, and leaves no recording. */
  readonly signal: AbortSignal;
}

/**
 * Records a visit in a browser of its own with an empty, temporary profile, which is deleted when the browser closes. The
 * recording, which holds passwords, is for this user alone to read.
 * @throws {InvalidInput} where the browser does not start, or the page cannot be opened
 */
export async function recordVisit({ chromium }: Playwright, visit: RecordedVisit): Promise<void> {
  const umask = process.umask(0o077);
  try {
    await recordPrivately(chromium, visit);
  } finally {
    process.umask(umask);
  }
}

async function recordPrivately(chromium: Playwright["chromium"], visit: RecordedVisit): Promise<void> {
  const { signal } = visit;
  const browser = await launch(chromium, visit);
  const close = (): void => void browser.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    signal.throwIfAborted();
    await record(browser, visit);
    signal.throwIfAborted();
  } catch (error) {
    // When the browser closes, everything in it fails.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
    await browser.close();
  }
}

async function launch(chromium: Playwright["chromium"], visit: RecordedVisit): Promise<Browser> {
  const { browser, isHeadless } = visit;
  try {
    return await chromium.launch({
      executablePath: browser.executable,
      headless: isHeadless,
      // The sandbox refuses to run as root.
      chromiumSandbox: process.getuid?.() !== 0,
      // Containers have little shared memory; without the flag, pages crash in it.
      args: ["--disable-dev-shm-usage"],
      // They would end this process before it has cleared up.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (cause) {
    throw new InvalidInput([`${browser.name} does not start: ${reasonOf(cause)}`], { cause });
  }
}

async function record(browser: Browser, { url, isHeadless, drive, har }: RecordedVisit): Promise<void> {
  const context = await browser.newContext({
    recordHar: { path: har, content: "embed" },
    // As large as the window.
    ...(isHeadless ? {} : { viewport: null }),
  });
  const page = await context.newPage();
  try {
    await page.goto(url);
  } catch (cause) {
    throw new InvalidInput([`${url} cannot be opened: ${reasonOf(cause)}`], { cause });
  }
  await drive(page);
  await save(context, har);
}

/** Closing writes the recording, most often also that of a browser that is quitting; closing then complains of that. */
async function save(context: BrowserContext, har: string): Promise<void> {
  const closed = await context.close().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (existsSync(har)) return;
  const problem =
    "The browser ended before its recording was written. Try again, and close its window at the end.";
  throw new InvalidInput([problem], { cause: closed });
}

/** Resolves when the last window of a browser is closed. */
export function untilClosed(context: BrowserContext): Promise<void> {
  return new Promise((resolve) => {
    const watch = (page: Page): void => {
      page.on("close", () => {
        if (context.pages().length === 0) resolve();
      });
    };
    for (const page of context.pages()) watch(page);
    context.on("page", watch);
    if (context.pages().length === 0) resolve();
  });
}

/** The first line of an error of Playwright's, without the function that it names; its others are a log. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message.split("\n");
  return line.replace(/^[\w.]+: /, "");
}
