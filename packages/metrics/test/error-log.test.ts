import { ownWords } from "@bearhug/text/masked-text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { ErrorLog, type ErrorOccurrence } from "../src/error-log.ts";

function occurrence(changes: Partial<ErrorOccurrence> = {}): ErrorOccurrence {
  return {
    code: "CONNECTION_REFUSED",
    cause: "ECONNREFUSED",
    message: ownWords`nothing listens on this port`,
    name: "GET /",
    firstAtMs: 100,
    position: null,
    ...changes,
  };
}

function total(log: ErrorLog): number {
  return log.all().reduce((sum, { count }) => sum + count, 0);
}

describe("the error log", () => {
  test("counts errors with the same code, cause, name and place together, with the first one's message", () => {
    const log = new ErrorLog();
    log.add(occurrence({ firstAtMs: 300 }));
    log.add(occurrence({ message: ownWords`other words`, firstAtMs: 200 }), 4);
    expect(log.all()).toEqual([{ ...occurrence({ firstAtMs: 200 }), count: 5 }]);
  });

  test.each([{ code: "OTHER" }, { cause: null }, { name: "GET /b" }, { position: { line: 1, column: 2 } }])(
    "distinguishes errors by %o",
    (changes) => {
      const log = new ErrorLog();
      log.add(occurrence());
      log.add(occurrence(changes));
      expect(log.all()).toHaveLength(2);
    },
  );

  test("requests a message only for the first error of its kind", () => {
    const log = new ErrorLog();
    log.add(occurrence({ message: () => ownWords`asked for` }));
    log.add(occurrence({ message: () => expect.unreachable("the kind is known") }));
    expect(log.all()).toMatchObject([{ message: "asked for", count: 2 }]);
  });

  test("masks secrets in causes and names before they are cut", () => {
    const log = new ErrorLog((text) => text.replaceAll("hunter2", "***"));
    const long = `${"x".repeat(236)}hunter2${"y".repeat(300)}`;
    log.add(occurrence({ cause: long, name: long }));
    const [record] = log.all();
    for (const text of [record?.cause, record?.name]) expect(text).toMatch(/^x{236}\*{3}…/);
  });

  test("lists the most frequent first", () => {
    const log = new ErrorLog();
    log.add(occurrence({ code: "RARE" }));
    log.add(occurrence({ code: "FREQUENT" }), 9);
    expect(log.all().map(({ code }) => code)).toEqual(["FREQUENT", "RARE"]);
  });

  test("is bounded by 100 kinds and (other), with exact totals", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 9 }))), (errors) => {
        const log = new ErrorLog();
        for (const [kind, count] of errors) log.add(occurrence({ code: `E${kind}` }), count);
        expect(log.all().length).toBeLessThanOrEqual(101);
        expect(total(log)).toBe(errors.reduce((sum, [, count]) => sum + count, 0));
      }),
    );
    const log = new ErrorLog();
    for (let kind = 0; kind < 500; kind++) log.add(occurrence({ code: `E${kind}`, firstAtMs: 1000 - kind }));
    expect(log.all()).toHaveLength(101);
    expect(log.all()[0]).toMatchObject({
      code: "(other)",
      name: "(other)",
      count: 400,
      firstAtMs: 501,
      message: "errors beyond the first 100 kinds",
    });
  });

  test("keeps its totals when drained logs are merged into another one", () => {
    const worker = new ErrorLog();
    const whole = new ErrorLog();
    const merged = new ErrorLog();
    for (let round = 0; round < 3; round++) {
      for (let kind = 0; kind < 150; kind++) {
        worker.add(occurrence({ code: `E${kind}` }));
        whole.add(occurrence({ code: `E${kind}` }));
      }
      for (const record of worker.drain()) merged.add(record, record.count);
      expect(worker.all()).toEqual([]);
    }
    expect(total(merged)).toBe(total(whole));
    expect(merged.all().length).toBeLessThanOrEqual(101);
  });
});
