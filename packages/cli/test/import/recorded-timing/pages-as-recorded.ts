import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { type CaptureModel, importCapture, writeTest } from "@bearhug/har-import";
import { expect, test } from "vitest";

import { withCapture } from "../../../src/capture-file/read-capture-file.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";
import { type Attempt, describeAttempts, measureUntilQuiet } from "../attempts.ts";
import { pagesBeyond } from "../pages-beyond.ts";
import { captureAt, describeCaptures } from "../recorded-captures.ts";
import { medianPageTimes, replayCapture } from "../replay-capture.ts";

const samples = 3;

/**
 * Tests every second capture, starting at the first or the second. Replays mostly wait, so two test files
 * halve the time.
 */
export function testPages(half: "first" | "second"): void {
  describeCaptures(`captures, ${half} half,`, (names) => {
    const own = names.toSorted().filter((_, index) => index % 2 === (half === "first" ? 0 : 1));
    test.for(own)("pages of %s take as long as recorded", { timeout: 600_000 }, async (name) => {
      const attempts = await replayOften(captureAt(name));
      expect(attempts.at(-1)?.problems, describeAttempts(attempts)).toEqual([]);
    });
  });
}

async function replayOften(path: string): Promise<readonly Attempt[]> {
  const { model, file } = await importWithoutThinking(path);
  const pages = model.steps.filter(({ kind }) => kind === "page");
  const recorded = new Map(
    pages.flatMap(({ name: page, recordedMs }): [string, number][] =>
      recordedMs === null ? [] : [[page, recordedMs]],
    ),
  );
  return measureUntilQuiet(async () => {
    const replayed = medianPageTimes(await replayCapture(path, samples, file));
    expect([...replayed.keys()].toSorted()).toEqual(pages.map(({ name: page }) => page).toSorted());
    return pagesBeyond(recorded, new Map([...replayed].filter(([page]) => recorded.has(page))));
  });
}

/**
 * Writes the test that an import would write, without the pauses between pages, which are not part of page
 * times.
 */
async function importWithoutThinking(path: string): Promise<{ model: CaptureModel; file: string }> {
  const imported = await withCapture(path, ({ open, bodyOf }) => importCapture(open, { bodyOf }));
  const steps = imported.model.steps.map((step) => ({ ...step, thinkAfterMs: 0 }));
  const model = { ...imported.model, steps };
  const { source, dataFiles } = await writeTest(
    { ...imported, model },
    { formatted: false, optionalVariables: true },
  );
  const file = join(temporaryFolder(), "imported.ts");
  for (const { name, text } of [{ name: "imported.ts", text: source }, ...dataFiles]) {
    mkdirSync(dirname(join(file, "..", name)), { recursive: true });
    writeFileSync(join(file, "..", name), text);
  }
  return { model, file };
}
