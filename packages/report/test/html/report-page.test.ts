import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import axe, { type AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { bundleReportPage } from "../../../../tools/bundle-packages.mjs";
import { comparisonPageData } from "../../src/html/compare-data.ts";
import { gatherPageData } from "../../src/html/gather-page-data.ts";
import { type PageAssets, renderComparisonHtml, renderHtml } from "../../src/html/render-html.ts";
import { hasChromium, launchForPages } from "../../../cli/test/chromium.ts";
import { withTexts } from "../hostile-texts.ts";
import { monitored } from "../monitored-result.ts";
import { comparedRun, comparison } from "./compared-result.ts";
import { exceeded } from "./exceeded-result.ts";
import { countHeatPixels, countLinePixels, expectShown, readBars, readNumbers } from "./page-readings.ts";
import { swept } from "./swept-result.ts";
import { hourLong, timed } from "./timed-result.ts";

const data = gatherPageData(timed);
let browser: Browser;
let assets: PageAssets;
let folder: string;

describe.skipIf(!hasChromium)("the HTML report, opened in Chromium", () => {
  beforeAll(async () => {
    const { files } = await bundleReportPage();
    const read = (end: string): string =>
      Buffer.from(files.find(({ path }) => path.endsWith(end))?.contents ?? "").toString();
    assets = { script: read(".js"), style: read(".css") };
    browser = await launchForPages();
    folder = mkdtempSync(join(tmpdir(), "bearhug-report-"));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("shows every number of its charts as in the result", async () => {
    const { page } = await open(timed);
    for (const { id, lines } of data.timeline!.charts) {
      const rows = await readNumbers(page, id);
      expect(rows).toHaveLength(timed.intervals.length);
      for (const [at, [, ...shown]] of rows.entries())
        for (const [line, { values }] of lines.entries()) expectShown(shown[line], values[at] ?? null);
    }
    const percentiles = await readNumbers(page, "percentiles");
    for (const [at, [, value]] of percentiles.entries())
      expectShown(value, data.percentiles!.valuesMs[at] ?? null);
    const cells = await readNumbers(page, "heat-map");
    const counted = cells.reduce((sum, row) => sum + Number(row[3]), 0);
    expect(counted).toBe(timed.intervals.reduce((sum, { http_reqs: ended }) => sum + ended, 0));
  });

  test("shows the gauges of monitors below the load, and draws them", async () => {
    const { page } = await open(monitored);
    const rows = await readNumbers(page, "monitor-cpu");
    const shares = monitored.monitors[0]?.gauges[0]?.points.map((point) => point && point / 100) ?? [];
    expect(rows).toHaveLength(shares.length);
    for (const [at, [, shown]] of rows.entries()) expectShown(shown, shares[at] ?? null);
    const drawn = await page.evaluate<Record<string, number>>(countLinePixels);
    expect(drawn["monitor-cpu"]).toBeGreaterThan(100);
  });

  test("shows the loads of a sweep with their figures", async () => {
    const { page } = await open(swept);
    const [comparison] = gatherPageData(swept).comparisons;
    const rows = await readNumbers(page, "sweep-throughput");
    expect(rows.map(([load]) => load)).toEqual(comparison?.places);
    for (const [at, [, ...shown]] of rows.entries())
      for (const [line, { values }] of (comparison?.charts[0]?.lines ?? []).entries())
        expectShown(shown[line], values[at] ?? null);
    const drawn = await page.evaluate<Record<string, number>>(countLinePixels);
    for (const { id } of comparison?.charts ?? []) expect(drawn[id], id).toBeGreaterThan(100);
  });

  test("shows a comparison, and draws the base beside the run", async () => {
    const { page } = await open(comparedRun);
    const { timeline, percentiles } = gatherPageData(comparedRun);
    expect(await page.locator("#comparison .answer").textContent()).toBe("REGRESSED");
    for (const { id, lines } of timeline!.charts) {
      const rows = await readNumbers(page, id);
      for (const [at, [, ...shown]] of rows.entries())
        for (const [line, { values }] of lines.entries()) expectShown(shown[line], values[at] ?? null);
    }
    const curve = await readNumbers(page, "percentiles");
    for (const [at, row] of curve.entries()) expectShown(row.at(-1), percentiles?.baseMs?.[at] ?? null);
    const users = page.locator("[data-chart=vus]");
    expect(await users.locator(".swatch.dashed").count()).toBe(1);
    const before = (await page.evaluate<Record<string, number>>(countLinePixels))["vus"] ?? 0;
    await users.getByRole("button", { name: "virtual users" }).first().click();
    expect((await page.evaluate<Record<string, number>>(countLinePixels))["vus"]).toBeLessThan(before / 2);
  });

  test("shows the comparison of two results", async () => {
    const { page, faults } = await show(renderComparisonHtml(comparison, assets));
    const { verdict, timeline } = comparisonPageData(comparison);
    expect(await page.locator("header .reasons li").allTextContents()).toEqual(
      verdict.reasons.map(({ text }) => text),
    );
    const [durations] = timeline!.charts;
    for (const [at, [, ...shown]] of (await readNumbers(page, "durations")).entries())
      for (const [line, { values }] of durations!.lines.entries())
        expectShown(shown[line], values[at] ?? null);
    expect(faults).toEqual([]);
  });

  test("shows a search for the capacity and an overload as in the result", async () => {
    const { page } = await open(exceeded);
    const { comparisons } = gatherPageData(exceeded);
    expect(comparisons.map(({ id }) => id)).toEqual(["capacity", "capacity-loads", "overload"]);
    const drawn = await page.evaluate<Record<string, number>>(countLinePixels);
    for (const { places, charts } of comparisons)
      for (const { id, lines } of charts) {
        const rows = await readNumbers(page, id);
        expect(rows.map(([place]) => place)).toEqual(places);
        for (const [at, [, ...shown]] of rows.entries())
          for (const [line, { values }] of lines.entries()) expectShown(shown[line], values[at] ?? null);
        expect(drawn[id], id).toBeGreaterThan(100);
      }
  });

  test("draws each chart, and shows the values at the cursor in all of them", async () => {
    const { page } = await open(timed);
    await page.locator("[data-chart=requests] .plot").focus();
    for (const key of ["End", "ArrowLeft"]) await page.keyboard.press(key);
    const at = timed.intervals.length - 2;
    const moments = await page.locator("#timeline .moment").allTextContents();
    expect(new Set(moments.map((text) => text.split(",")[0]))).toEqual(new Set([`at 0:${at + 1}`]));
    expectShown(await page.locator("[data-chart=vus] .value").textContent(), timed.intervals[at]!.vus);
    const drawn = await page.evaluate<Record<string, number>>(countLinePixels);
    for (const { id } of data.timeline?.charts ?? []) expect(drawn[id], id).toBeGreaterThan(100);
    expect(await page.evaluate<number>(countHeatPixels)).toBeGreaterThan(1000);
  });

  test("zooms all charts together, and resets them", async () => {
    const { page } = await open(timed);
    const last = timed.intervals.length;
    /** Returns the time in seconds at the left edge of another chart. */
    const firstShown = async (): Promise<number> => {
      await page.locator("[data-chart=vus] .u-over").hover({ position: { x: 2, y: 40 } });
      const moment = await page.locator("[data-chart=vus] .moment").textContent();
      return Number(/^at 0:(\d+)$/.exec(moment ?? "")?.[1]);
    };
    expect(await firstShown()).toBe(1);
    await page.locator("[data-chart=durations] .plot").focus();
    for (const key of ["End", "+", "+"]) await page.keyboard.press(key);
    expect(await firstShown()).toBeGreaterThan(last * 0.7);
    await page.keyboard.press("0");
    expect(await firstShown()).toBe(1);
  });

  test("opens an hour of a hundred series, in a file of less than 2 MB", async () => {
    expect(Buffer.byteLength(renderHtml(hourLong, assets))).toBeLessThan(2_000_000);
    const { page, faults } = await open(hourLong);
    await page.locator("[data-chart=heat-map] canvas").waitFor();
    expect(await page.locator("[data-table=requests] tbody").count()).toBe(100);
    expect(await readNumbers(page, "durations")).toHaveLength(600);
    expect(faults).toEqual([]);
  });

  test("shows each exchange of a visit as bars, and their times", async () => {
    const { page } = await open(timed);
    for (const { id, spanMs, rows } of data.waterfalls.items) {
      const numbers = await readNumbers(page, id);
      expect(numbers.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
      const bars = await page.evaluate<number[][]>(readBars(id));
      for (const [at, { startMs, phasesMs, totalMs }] of rows.entries()) {
        expectShown(numbers[at]?.[2], startMs);
        for (const [phase, ms] of phasesMs.entries()) expectShown(numbers[at]?.[3 + phase], ms);
        expectShown(numbers[at]?.[3 + phasesMs.length], totalMs);
        const [left, right] = bars[at]!;
        expect(left! * spanMs).toBeCloseTo(startMs, 1);
        expect(right! * spanMs).toBeCloseTo(startMs + totalMs, 1);
      }
    }
    const waiting = page.locator("[data-chart=waterfall-1] .bar.line-1").first();
    await page.locator("[data-chart=waterfall-1] .legend").getByRole("button", { name: "waiting" }).click();
    expect(await waiting.isVisible()).toBe(false);
  });

  test("copies the command that repeats a failed request", async () => {
    const { page } = await open(timed);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const [example] = data.examples.items;
    const details = page.locator("#failing-exchanges details").first();
    await details.locator("summary").press("Enter");
    expect(await details.locator("pre").allTextContents()).toEqual([
      example!.request,
      example!.response,
      example!.command,
    ]);
    await details.getByRole("button", { name: "Copy" }).click();
    await details.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(example!.command);
  });

  test("sorts a table by a column in both directions, and filters its rows", async () => {
    const { page } = await open(timed);
    const table = page.locator("[data-table=metrics]");
    const column = data.tables
      .find(({ id }) => id === "metrics")!
      .columns.findIndex(({ title }) => title === "max");
    const button = table.locator("thead button").nth(column);
    const expected = data.tables
      .find(({ id }) => id === "metrics")!
      .rows.map(({ cells }) => cells[column]?.value ?? 0)
      .toSorted((left, right) => right - left);
    const shown = async () => {
      const names = await table.locator("tbody td:first-child").allTextContents();
      return names.map(
        (name) =>
          data.tables.find(({ id }) => id === "metrics")!.rows.find(({ cells }) => cells[0]?.text === name)!
            .cells[column]?.value ?? 0,
      );
    };
    await button.click();
    expect(await shown()).toEqual(expected);
    await button.click();
    expect(await shown()).toEqual(expected.toReversed());
    await table.getByRole("searchbox").fill("ITERATION_");
    const names = await table.locator("tbody:not([hidden]) td:first-child").allTextContents();
    expect(names.toSorted()).toEqual(["iteration_duration", "iteration_response_time"]);
  });

  test.each(["light", "dark"] as const)(
    "has no accessibility violations in %s colors, according to axe",
    async (colorScheme) => {
      const { page } = await open({ ...timed, comparison }, colorScheme);
      await page.locator("#comparison summary").click();
      await readNumbers(page, "vus");
      await readNumbers(page, "waterfall-1");
      await page.locator("#failing-exchanges summary").first().click();
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ["violations"] })`);
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
        [],
      );
    },
  );

  test("switches between dark and light colors", async () => {
    const { page } = await open(timed);
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.getByRole("button", { name: "Dark" }).click();
    expect(await background()).not.toBe(light);
    await page.getByRole("button", { name: "Light" }).click();
    expect(await background()).toBe(light);
  });

  test("offers the result for download", async () => {
    const { page } = await open(timed);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Result as JSON" }).click(),
    ]);
    const stream = await download.createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString();
    expect(JSON.parse(text)).toEqual(timed);
  });

  test("shows hostile names as text, makes no requests, and runs none of their code", async () => {
    const hostile = `<img src="http://127.0.0.1:9/x" onerror="document.title='owned'"></script><script>document.title='owned'</script>`;
    const { page, requested, faults } = await open(withTexts({ ...timed, comparison }, () => hostile));
    expect(await page.locator("h1").textContent()).toBe(hostile);
    expect(await page.locator("#comparison li").first().textContent()).toBe(hostile);
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img").count()).toBe(0);
    expect(requested).toEqual([]);
    expect(faults).toEqual([]);
  });
});

interface OpenedPage {
  readonly page: Page;
  /** URLs that the page requested, apart from its own file and blobs. */
  readonly requested: string[];
  readonly faults: string[];
}

function open(result: typeof timed, colorScheme: "light" | "dark" = "light"): Promise<OpenedPage> {
  return show(renderHtml(result, assets), colorScheme);
}

async function show(html: string, colorScheme: "light" | "dark" = "light"): Promise<OpenedPage> {
  const path = join(folder, `${crypto.randomUUID()}.html`);
  writeFileSync(path, html);
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 900 } });
  onTestFinished(() => page.close());
  const [requested, faults]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    if (!/^(file|blob):/.test(request.url())) requested.push(request.url());
  });
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => faults.push(message.text()));
  await page.goto(pathToFileURL(path).href);
  await page.locator("[data-chart=durations] canvas").waitFor();
  return { page, requested, faults };
}
