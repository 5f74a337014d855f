import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import * as z from "zod";

import { findBrowser } from "../../src/browser/find-browser.ts";
import { loadPlaywright } from "../../src/browser/load-playwright.ts";
import { recordVisit, untilClosed } from "../../src/browser/record-visit.ts";
import { hasChromium } from "../chromium.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";

const harSchema = z.object({
  log: z.object({ entries: z.array(z.object({ request: z.object({ url: z.string() }) })) }),
});

/** Records a visit in a headless browser that ends with `leave`. */
async function record(leave: (page: Page) => Promise<void>) {
  const har = join(temporaryFolder(), "recorded.har");
  const { url } = await startServer();
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const browser = findBrowser(undefined, { platform: process.platform, environment: process.env, isFile });
  const playwright = loadPlaywright(import.meta.dirname);
  await recordVisit(playwright!, {
    url,
    har,
    browser: browser!,
    isHeadless: true,
    signal: new AbortController().signal,
    drive: async (page) => {
      await page.goto(`${url}/second`);
      const closed = untilClosed(page.context());
      await leave(page);
      await closed;
    },
  });
  const requests = harSchema.parse(JSON.parse(readFileSync(har, "utf8"))).log.entries;
  const paths = requests.map(({ request }) => request.url.slice(url.length));
  return { paths, mode: statSync(har).mode & 0o777 };
}

describe.skipIf(!hasChromium)("a visit in a browser", () => {
  test("ends when the last window is closed, and its recording is readable only by the user", async () => {
    const { paths, mode } = await record(async (page) => {
      const second = await page.context().newPage();
      await page.close();
      await second.close();
    });
    expect(paths).toEqual(expect.arrayContaining(["/", "/second"]));
    expect(mode).toBe(0o600);
  });

  test("is not recorded if the browser crashes, and the message says so", async () => {
    const crashed = record(async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Browser.crash").catch(() => undefined);
    });
    await expect(crashed).rejects.toThrow(
      "The browser ended before its recording was written. Try again, and close its window at the end.",
    );
  });
});
