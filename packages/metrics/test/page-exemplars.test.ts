import { describe, expect, test } from "vitest";

import { PageExemplars, type WatchedVisit } from "../src/exemplar-log.ts";
import { pageExchange } from "../../report/test/exemplars.ts";

/** Visits one page several times in a row, each time with one exchange. */
function visitEach(pages: PageExemplars, durationsMs: readonly number[], described: number[] = []): void {
  durationsMs.forEach((durationMs, index) => {
    const visit = pages.begin("home", "readers", 1000 + index);
    visit?.add({
      describe: (originMs) => {
        described.push(originMs);
        return { ...pageExchange, atMs: durationMs };
      },
    });
    visit?.watch.end(visit, durationMs);
  });
}

/** Returns 1 to `count`, each once, in an unsorted order. */
function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, index) => ((index * 617) % count) + 1);
}

describe("among the visits to a page", () => {
  test("one near the median and one near the 95th percentile are reported", () => {
    const pages = new PageExemplars();
    visitEach(pages, shuffled(1000));
    const [median, slow, ...others] = pages.drain(0);
    expect(others).toEqual([]);
    expect(median).toMatchObject({ page: "home", scenario: "readers", kind: "median", leftOut: 0 });
    expect(slow).toMatchObject({ page: "home", kind: "slow" });
    expect(Math.abs((median?.durationMs ?? 0) - 500)).toBeLessThan(50);
    expect(Math.abs((slow?.durationMs ?? 0) - 950)).toBeLessThan(50);
    expect(slow?.exchanges).toEqual([{ ...pageExchange, atMs: slow?.durationMs }]);
  });

  test("only the reported ones are described, and each is reported once", () => {
    const pages = new PageExemplars();
    const described: number[] = [];
    visitEach(pages, shuffled(1000), described);
    expect(described).toEqual([]);
    pages.drain(0);
    expect(described).toHaveLength(2);
    expect(pages.drain(0)).toEqual([]);
  });

  test("later ones are reported when the page has become slower", () => {
    const pages = new PageExemplars();
    visitEach(pages, shuffled(100));
    pages.drain(0);
    visitEach(
      pages,
      shuffled(2000).map((ms) => ms + 5000),
    );
    for (const { durationMs } of pages.drain(0)) expect(durationMs).toBeGreaterThan(5000);
  });

  test("a single one is both the median and the slow example", () => {
    const pages = new PageExemplars();
    visitEach(pages, [12]);
    expect(pages.drain(400).map(({ kind, atMs, durationMs }) => [kind, atMs, durationMs])).toEqual([
      ["median", 600, 12],
      ["slow", 600, 12],
    ]);
  });

  test("one without a duration is not reported", () => {
    const pages = new PageExemplars();
    const visit = pages.begin("home", "readers", 0);
    visit?.watch.end(visit, null);
    expect(pages.drain(0)).toEqual([]);
  });

  test("eight at a time are watched, and others once these have ended", () => {
    const pages = new PageExemplars();
    const begin = (): WatchedVisit | null => pages.begin("home", "readers", 0);
    const [first, ...others] = Array.from({ length: 8 }, begin);
    expect([first, ...others]).not.toContain(null);
    expect(begin()).toBeNull();
    first?.watch.end(first, 3);
    expect(begin()).not.toBeNull();
    expect(pages.begin("cart", "readers", 0)).not.toBeNull();
  });

  test("at most a hundred exchanges are reported, in order of their start, with the number of the others", () => {
    const pages = new PageExemplars();
    const visit = pages.begin("home", "readers", 0);
    for (let index = 0; index < 130; index++)
      visit?.add({ describe: () => ({ ...pageExchange, atMs: 130 - index }) });
    visit?.watch.end(visit, 130);
    const [reported] = pages.drain(0);
    expect(reported).toMatchObject({ leftOut: 30 });
    expect(reported?.exchanges.map(({ atMs }) => atMs)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 31),
    );
  });
});

test("at most twenty pages are watched", () => {
  const pages = new PageExemplars();
  const begun = Array.from({ length: 25 }, (_, index) => pages.begin(`page ${index}`, "s", 0));
  expect(begun.filter((visit) => visit !== null)).toHaveLength(20);
});
