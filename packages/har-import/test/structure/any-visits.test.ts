import fc from "fast-check";
import { expect, test } from "vitest";
import { collapseRedirects } from "../../src/structure/collapse-redirects.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { type Visit } from "../../src/visit.ts";
import { inRecordedOrder } from "../../src/select/select-entries.ts";
import { pageOf, visitOf } from "./recorded-visits.ts";

const time = fc.oneof(fc.nat(100), fc.nat(5_000), fc.double({ noNaN: true, min: 0, max: 1e308 }));

const date = fc.oneof(fc.nat(100), fc.nat(5_000), fc.integer({ min: -1e12, max: 1e12 }));

const page = fc.record({
  id: fc.constantFrom("1", "2", "3"),
  title: fc.constantFrom("", "Shop", "New Tab"),
  at: fc.option(date, { nil: undefined }),
  loadedAfter: fc.option(time, { nil: undefined }),
});

const recorded = fc.record({
  path: fc.constantFrom("/", "/a", "/b", "/c.png"),
  location: fc.constantFrom("", "/a", "/b", "https://elsewhere.test/"),
  at: fc.option(date),
  took: fc.option(time),
  blocked: fc.nat(200),
  method: fc.constantFrom("GET", "POST", "DELETE"),
  type: fc.constantFrom("", "document", "fetch", "image"),
  mimeType: fc.constantFrom("text/html", "image/png", "application/json", ""),
  status: fc.constantFrom(200, 302, 304, 307, null),
  pageRef: fc.constantFrom(null, "1", "2", "lost"),
  protocol: fc.constantFrom("http/1", "http/2", "http/3", ""),
});

test("every visit is in exactly one wave of one step, whatever was recorded", () => {
  fc.assert(
    fc.property(fc.array(page, { maxLength: 4 }), fc.array(recorded, { maxLength: 30 }), (declared, made) => {
      const pages = declared.map(({ id, title, at, loadedAfter }) =>
        pageOf(id, {
          title,
          ...(at !== undefined && { at }),
          ...(loadedAfter !== undefined && { loadedAfter }),
        }),
      );
      const written = new Map(
        made.map(({ path, ...rest }) => visitOf(path, rest)).map((visit) => [visit.entry, visit]),
      );
      const visits = inRecordedOrder([...written.keys()]).flatMap(({ entry, atMs }): Visit[] => {
        const visit = written.get(entry);
        return visit === undefined ? [] : [{ ...visit, atMs }];
      });
      const steps = planSteps(pages, collapseRedirects(visits));

      const planned = steps.flatMap(({ waves }) => waves.flatMap((wave) => wave.visits));
      const entries = planned.flatMap(({ visit }) => [visit, ...visit.hops].map(({ entry }) => entry));
      expect(entries).toHaveLength(made.length);
      expect(new Set(entries)).toEqual(new Set(written.keys()));
      expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
      for (const { waves, recordedMs, thinkAfterMs } of steps) {
        expect(waves.every((wave) => wave.visits.length > 0 && wave.afterMs >= 0)).toBe(true);
        expect(waves.at(-1)?.visits.some(({ outlasts }) => outlasts)).toBe(false);
        expect(recordedMs ?? 0).toBeGreaterThanOrEqual(0);
        expect(waves.every(({ afterMs }) => Number.isFinite(afterMs))).toBe(true);
        expect(thinkAfterMs).toBeGreaterThanOrEqual(0);
      }
      expect(steps.at(-1)?.thinkAfterMs ?? 0).toBe(0);
    }),
    { numRuns: 500 },
  );
});
