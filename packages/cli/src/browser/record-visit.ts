import { existsSync } from "node:fs";

import { InvalidInput } from "@bearhug/sdk";
import { errorMessage } from "@bearhug/text/caught-error";
import type { Browser, BrowserContext, Page } from "playwright-core";

import type { FoundBrowser } from "./find-browser.ts";
import type { Playwright } from "./load-playwright.ts";

export interface RecordedVisit {
  readonly url: string;
  readonly browser: FoundBrowser;
  readonly isHeadless: boolean;
  /** Receives the first page once it has loaded, and resolves when the visit is over. */
  readonly drive: (page: Page) => Promise<void>;
  /** The path of the recording. */
  readonly har: string;
  /** Aborts the visit: closes the browser, and leaves no recording. */
  readonly signal: AbortSignal;
}

/**
 * Records a visit in a new browser with an empty, temporary profile, which is deleted when the browser
 * closes. Only this user can read the recording, which contains passwords.
 * @throws {InvalidInput} if the browser does not start, or the page cannot be opened
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
    // Closing the browser makes pending calls fail; the signal's reason is the real cause.
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
      // Chromium's sandbox does not run as root.
      chromiumSandbox: process.getuid?.() !== 0,
      // Containers have little shared memory, and without the flag pages crash.
      args: ["--disable-dev-shm-usage"],
      // Playwright's handlers would end this process before it has cleaned up.
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
    // The page is as large as the window.
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

/**
 * Closes the context, which writes the recording. That usually works even if the browser is quitting,
 * although closing then rejects.
 */
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

/** Returns the first line of a Playwright error, without the function's name; the other lines are a log. */
function reasonOf(error: unknown): string {
  const [line = ""] = errorMessage(error).split("\n");
  return line.replace(/^[\w.]+: /, "");
}
