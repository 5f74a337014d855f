import axe, { type AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { bundleReportPage } from "../../../../tools/bundle-packages.mjs";
import { LivePage } from "../../src/live-page/live-page.ts";
import { hasChromium, launchForPages } from "../../../cli/test/chromium.ts";
import { timed } from "../html/timed-result.ts";
import { scenarioOf, snapshotOf } from "../snapshot-of.ts";

let browser: Browser;
let assets: { readonly script: string; readonly style: string };

describe.skipIf(!hasChromium)("the live page, in Chromium", () => {
  beforeAll(async () => {
    const { files } = await bundleReportPage();
    const read = (end: string): string =>
      Buffer.from(files.find(({ path }) => path.endsWith(end))?.contents ?? "").toString();
    assets = { script: read(".js"), style: read(".css") };
    browser = await launchForPages();
  });
  afterAll(() => browser.close());

  test("follows a run from its start to its report, and sends requests only to its own server", async () => {
    const { live, page, requested, faults } = await open();
    const verdict = page.locator(".verdict");
    await expectText(verdict, "starting");
    live.onStart({ test: timed.test, seed: timed.seed, plan: timed.plan });
    for (const second of [1, 2, 3]) live.onInterval(secondOf(second));
    await expectText(verdict, "running");
    await page.locator("[data-chart=requests] canvas").waitFor();
    live.onInterval(secondOf(4));
    await expectText(page.locator(".figure").first().locator(".number"), "400/s");
    expect(await numbersOf(page, "requests")).toEqual([
      "0:01 100/s",
      "0:02 200/s",
      "0:03 300/s",
      "0:04 400/s",
    ]);
    expect(await page.locator("[data-table=scenarios] tbody td").first().textContent()).toBe("browse");

    live.onEnd(timed);
    await expectText(verdict, "failed");
    await page.locator("[data-chart=heat-map] canvas").waitFor();
    expect(await page.title()).toBe(`${timed.test.name}: failed`);
    expect(await numbersOf(page, "requests")).toHaveLength(timed.intervals.length);
    expect(faults).toEqual([]);
    const origin = new URL(live.url).origin;
    expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);

    const later = await browser.newPage();
    onTestFinished(() => later.close());
    await later.goto(live.url);
    await expectText(later.locator(".verdict"), "failed");
  });

  test("keeps the user's sorting, filters, hidden lines and zoom", async () => {
    const { live, page } = await open();
    const scenarios = Array.from({ length: 9 }, (_, index) =>
      scenarioOf({ name: `scenario ${index}`, vus: (index * 7) % 9 }),
    );
    for (let second = 1; second <= 20; second++) live.onInterval({ ...secondOf(second), scenarios });
    const table = page.locator("[data-table=scenarios]");
    await table.getByRole("button", { name: "virtual users" }).click();
    await table.getByRole("searchbox").fill("scenario");
    const button = page.locator("[data-chart=durations] .legend button").first();
    await button.click();
    await page.locator("[data-chart=vus] .plot").focus();
    for (const key of ["Home", "+", "+"]) await page.keyboard.press(key);
    const range = async () => {
      const plot = page.locator("[data-chart=vus] .u-over");
      const box = await plot.boundingBox();
      await plot.hover({ position: { x: (box?.width ?? 0) - 3, y: 40 } });
      const moment = await page.locator("[data-chart=vus] .moment").textContent();
      return Number(/^at 0:(\d+)$/.exec(moment ?? "")?.[1]);
    };
    const before = await range();
    expect(before).toBeLessThan(19);

    live.onInterval({ ...secondOf(21), scenarios: scenarios.map((one) => ({ ...one, vus: one.vus + 1 })) });
    await expectText(page.locator(".figure").first().locator(".number"), "2100/s");
    const shown = await table.locator("tbody td:last-child").allTextContents();
    expect(shown.map(Number)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await table.getByRole("searchbox").inputValue()).toBe("scenario");
    expect(await button.getAttribute("aria-pressed")).toBe("false");
    expect(await range()).toBe(before);
  });

  test("shows that there is no contact if the run's process has ended", async () => {
    const { live, page } = await open();
    live.onInterval(secondOf(1));
    await expectText(page.locator(".verdict"), "running");
    await live.close();
    await expectText(page.locator(".verdict"), "no contact");
  });

  test("has no accessibility violations during a run, according to axe", async () => {
    const { live, page } = await open();
    for (const second of [1, 2, 3]) live.onInterval(secondOf(second));
    await page.locator("[data-chart=requests] canvas").waitFor();
    // The page's policy blocks other scripts, but not those that the debugger evaluates.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  test("shows hostile names as text", async () => {
    const { live, page, faults } = await open();
    const hostile = `<img src=x onerror="document.title='owned'">\nevent: end\n</script>`;
    live.onStart({ test: { ...timed.test, name: hostile }, seed: 1, plan: timed.plan });
    live.onInterval({
      ...secondOf(1),
      scenarios: [scenarioOf({ name: hostile })],
      errors: [{ code: "CONNECTION_RESET", count: 1, name: hostile }],
    });
    await page.locator("[data-table=errors]").waitFor();
    expect(await page.locator("[data-table=errors] td").nth(2).textContent()).toContain("<img src=x");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toContain("owned");
    expect(faults).toEqual([]);
  });
});

/** Returns a second's snapshot of a run whose rate grows by 100/s each second. */
function secondOf(second: number) {
  return snapshotOf({ atMs: second * 1000, elapsedMs: second * 1000, requestRate: second * 100 });
}

async function open() {
  const live = await LivePage.open("shop.ts", assets);
  onTestFinished(() => live.close().catch(() => undefined));
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  onTestFinished(() => page.close());
  const [requested, faults]: [string[], string[]] = [[], []];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => faults.push(message.text()));
  await page.goto(live.url);
  return { live, page, requested, faults };
}

/** Returns the rows of the table below a chart as time and first value. */
async function numbersOf(page: Page, chart: string): Promise<string[]> {
  const figure = page.locator(`[data-chart=${chart}]`);
  await figure.locator("summary").click();
  await figure.locator("tbody tr").first().waitFor();
  const rows = await figure.locator("tbody tr").all();
  const texts = await Promise.all(rows.map((row) => row.locator("td").allTextContents()));
  await figure.locator("summary").click();
  return texts.map(([time, value]) => `${time} ${value}`);
}

async function expectText(locator: ReturnType<Page["locator"]>, text: string): Promise<void> {
  await expect.poll(() => locator.textContent(), { timeout: 10_000 }).toBe(text);
}
