import type { LivePage } from "@bearhug/report/live-page/live-page";
import { createMultiplexer, type Multiplexer } from "@bearhug/report/multiplexer";
import type { TestResult } from "@bearhug/sdk";

import { nextStopSignal } from "../stop-signals.ts";

/** The live page of a run in the browser; does nothing without `--ui`. */
export interface OpenPage {
  readonly reporters: Multiplexer;
  /** Keeps the page open until a stop signal. */
  readonly keep: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the page of `--ui`. Prints its address when the run begins: a test that cannot run has nothing to
 * show.
 */
export async function openPage(
  isEnabled: boolean,
  title: string,
  warn: (text: string) => void,
): Promise<OpenPage> {
  const page = isEnabled ? await open(title) : null;
  if (page !== null) page.announce = (url) => warn(`watch the run at ${url}`);
  return {
    reporters: createMultiplexer(page === null ? [] : [page], warn),
    keep: async () => {
      if (page !== null) await keepOpen(page, warn);
    },
    close: async () => {
      await page?.close();
    },
  };
}

/** Shows a result in the browser until a stop signal. */
export async function showResult(
  title: string,
  result: TestResult,
  warn: (text: string) => void,
): Promise<void> {
  const page = await open(title);
  page.onEnd(result);
  await keepOpen(page, warn);
  await page.close();
}

async function open(title: string): Promise<LivePage> {
  return (await import("@bearhug/report/live-page/live-page")).LivePage.open(title);
}

async function keepOpen({ url }: LivePage, warn: (text: string) => void): Promise<void> {
  const stopped = nextStopSignal();
  warn(`the report stays at ${url} until you press Ctrl+C`);
  await stopped;
}
