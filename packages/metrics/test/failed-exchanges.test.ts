import { describe, expect, test } from "vitest";

import { FailedExchanges } from "../src/exemplar-log.ts";
import { failedExchange } from "../../report/test/exemplars.ts";

const at = (atMs: number, name = "GET /") => ({ ...failedExchange, code: "HTTP_503", name, atMs });

function countMany(log: FailedExchanges, count: number): number {
  let described = 0;
  for (let number = 1; number <= count; number++)
    log.count("HTTP_503", "GET /", () => {
      described++;
      return at(number);
    });
  return described;
}

describe("among failures of one kind", () => {
  test("the first and the two latest examples are kept, and few are described", () => {
    const log = new FailedExchanges();
    expect(countMany(log, 100_000)).toBe(3 + 15);
    expect(log.all().map(({ atMs }) => atMs)).toEqual([1, 2 ** 15, 2 ** 16]);
  });

  test("the same ones are kept, in whatever order they are added", () => {
    const times = [7, 1, 9, 4, 3];
    for (const order of [times, times.toReversed(), times.toSorted()]) {
      const log = new FailedExchanges();
      for (const atMs of order) log.add(at(atMs));
      expect(log.all().map(({ atMs }) => atMs)).toEqual([1, 7, 9]);
    }
  });

  test("each is drained once, and the count goes on", () => {
    const log = new FailedExchanges();
    expect(countMany(log, 3)).toBe(3);
    expect(log.drain()).toHaveLength(3);
    expect(log.drain()).toEqual([]);
    expect(countMany(log, 2)).toBe(1);
    expect(log.drain().map(({ atMs }) => atMs)).toEqual([1]);
  });
});

test("kinds differ by code and by name, and only the first fifty have examples", () => {
  const log = new FailedExchanges();
  for (let index = 0; index < 60; index++) {
    const name = `GET /${Math.floor(index / 2)}`;
    const code = index % 2 === 0 ? "HTTP_500" : "HTTP_503";
    log.count(code, name, () => ({ ...at(index, name), code }));
  }
  expect(log.all()).toHaveLength(50);
  expect(log.all().at(-1)).toMatchObject({ name: "GET /24", code: "HTTP_503" });
});
