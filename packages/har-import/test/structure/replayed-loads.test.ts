import fc from "fast-check";
import { expect, test } from "vitest";
import { planWaves } from "../../src/structure/plan-waves.ts";
import { simulateStep } from "../../src/structure/connections.ts";
import { timeVisits } from "../../src/structure/timed-visit.ts";
import { recordedLoads } from "./recorded-loads.ts";

test("each request of a page load is in one wave, in recorded order, and the document is the first wave", () => {
  fc.assert(
    fc.property(recordedLoads, (visits) => {
      const waves = planWaves({ documents: 1, title: "", visits }).map((wave) =>
        wave.visits.map(({ visit }) => visit),
      );
      expect(waves.flat()).toEqual(visits);
      expect(waves[0]).toEqual(visits.slice(0, 1));
    }),
  );
});

test("a page load is replayed in its recorded time, within 25 % and 50 ms", () => {
  fc.assert(
    fc.property(recordedLoads, (visits) => {
      const requests = timeVisits(visits) ?? [];
      const recordedMs = Math.max(...requests.map(({ endMs }) => endMs));
      fc.pre(recordedMs >= 200);
      const { totalMs, startsMs } = simulateStep(planWaves({ documents: 1, title: "", visits }));
      expect(Math.abs(totalMs - recordedMs)).toBeLessThanOrEqual(recordedMs * 0.25 + 50);
      expect(Math.min(...startsMs)).toBe(startsMs[0]);
    }),
    { numRuns: 1_000 },
  );
});
