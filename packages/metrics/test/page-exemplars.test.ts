import { describe, expect, test } from "vitest";

import { PageExemplars, type WatchedVisit } from "../src/exemplar-log.ts";
import { pageExchange } from "../../report/test/exemplars.ts";

/** Visits to one page, one after another, each with one exchange. */
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

/** 1 to `count`, each once, in an order that does not sort them. */
function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, index) => ((index * 617) % count) + 1);
}

describe("of the visits to a page", () => {
  test("one near the median and one near the 95th percentile are told", () => {
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

  test("only those that are told are described, and each is told once", () => {
    const pages = new PageExemplars();
    const described: number[] = [];
    visitEach(pages, shuffled(1000), described);
    expect(described).toEqual([]);
    pages.drain(0);
    expect(described).toHaveLength(2);
    expect(pages.drain(0)).toEqual([]);
  });

  test("later ones are told when the page has become slower", () => {
    const pages = new PageExemplars();
    visitEach(pages, shuffled(100));
    pages.drain(0);
    visitEach(
      pages,
      shuffled(2000).map((ms) => ms + 5000),
    );
    for (const { durationMs } of pages.drain(0)) expect(durationMs).toBeGreaterThan(5000);
  });

  test("the only one is both", () => {
    const pages = new PageExemplars();
    visitEach(pages, [12]);
    expect(pages.drain(400).map(({ kind, atMs, durationMs }) => [kind, atMs, durationMs])).toEqual([
      ["median", 600, 12],
      ["slow", 600, 12],
    ]);
  });

  test("one that says nothing of the page's duration is not told", () => {
    const pages = new PageExemplars();
    const visit = pages.begin("home", "readers", 0);
    visit?.watch.end(visit, null);
    expect(pages.drain(0)).toEqual([]);
  });

  test("eight at a time are watched, and others when these have ended", () => {
    const pages = new PageExemplars();
    const begin = (): WatchedVisit | null => pages.begin("home", "readers", 0);
    const [first, ...others] = Array.from({ length: 8 }, begin);
    expect([first, ...others]).not.toContain(null);
    expect(begin()).toBeNull();
    first?.watch.end(first, 3);
    expect(begin()).not.toBeNull();
    expect(pages.begin("cart", "readers", 0)).not.toBeNull();
  });

  test("at most a hundred exchanges are told, by when they began, and the number of the others", () => {
    const pages = new PageExemplars();
    const visit = pages.begin("home", "readers", 0);
    for (let index = 0; index < 130; index++)
      visit?.add({ describe: () => ({ ...pageExchange, atMs: 130 - index }) });
    visit?.watch.end(visit, 130);
    const [told] = pages.drain(0);
    expect(told).toMatchObject({ leftOut: 30 });
    expect(told?.exchanges.map(({ atMs }) => atMs)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 31),
    );
  });
});

test("twenty pages are watched", () => {
  const pages = new PageExemplars();
  const begun = Array.from({ length: 25 }, (_, index) => pages.begin(`page ${index}`, "s", 0));
  expect(begun.filter((visit) => visit !== null)).toHaveLength(20);
});
