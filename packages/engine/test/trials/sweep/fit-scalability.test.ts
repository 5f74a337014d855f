import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { fitScalability, predictRate, type ScalingPoint } from "../../../src/trials/sweep/fit-scalability.ts";

const ladder = [6, 12, 25, 50, 100, 200, 400, 800, 1600];

type Law = Parameters<typeof predictRate>[0];

/**
 * Coefficients of real systems: from no contention to a fifth, and from no coherency cost to an early peak.
 */
const anyLaw: fc.Arbitrary<Law> = fc.record({
  lambda: fc.double({ min: 1, max: 5000, noNaN: true }),
  sigma: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.2, noNaN: true })),
  kappa: fc.oneof(fc.constant(0), fc.double({ min: 1e-7, max: 1e-3, noNaN: true })),
});

function pointsOf(law: Law, relativeErrors: readonly number[] = []): ScalingPoint[] {
  return ladder.map((concurrency, index) => {
    const rate = predictRate(law, concurrency) * (1 + (relativeErrors[index] ?? 0));
    return { concurrency, rate, rateError: rate / 100 };
  });
}

/** A normal deviate, made of two uniform ones (Box-Muller transform). */
const normal = fc
  .tuple(fc.double({ min: 1e-9, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([radius, angle]) => Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle));

describe("the scalability fit", () => {
  test("recovers the coefficients of data without noise", () => {
    fc.assert(
      fc.property(anyLaw, (law) => {
        const fit = fitScalability(pointsOf(law));
        expect(fit?.lambda).toBeCloseTo(law.lambda, law.lambda > 100 ? 1 : 4);
        expect(fit?.sigma).toBeCloseTo(law.sigma, 6);
        expect(fit?.kappa).toBeCloseTo(law.kappa, 9);
        expect(fit?.worstError).toBeLessThan(1e-6);
      }),
    );
  });

  // At 2000 requests a second, chance alone causes an error of 1 % in 5 s.
  test("predicts throughput within 5 % on the whole ladder if each step is off by about 1 %", () => {
    const noise = fc.array(normal, { minLength: ladder.length, maxLength: ladder.length });
    fc.assert(
      fc.property(anyLaw, noise, (law, deviates) => {
        const fit = fitScalability(
          pointsOf(
            law,
            deviates.map((one) => Math.max(-3, Math.min(3, one)) * 0.01),
          ),
        );
        for (const concurrency of ladder) {
          const truth = predictRate(law, concurrency);
          expect(Math.abs(predictRate(fit ?? law, concurrency) / truth - 1)).toBeLessThan(0.05);
        }
        expect(fit).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test("has a peak if a step lies beyond it, and none if it would be a guess", () => {
    const law = { lambda: 100, sigma: 0.04, kappa: 0.0006 };
    const points = pointsOf(law);
    const at = Math.sqrt(0.96 / 0.0006);
    expect(fitScalability(points)?.peak).toEqual({
      concurrency: expect.closeTo(at, 6) as number,
      rate: expect.closeTo(predictRate(law, at), 6) as number,
    });
    // These steps reach a concurrency of 25, and the peak is at 40.
    expect(
      fitScalability([
        { ...points[0], concurrency: 3, rate: predictRate(law, 3), rateError: null },
        ...points.slice(0, 3),
      ])?.peak,
    ).toBeNull();
    expect(fitScalability(pointsOf({ lambda: 100, sigma: 0.04, kappa: 0 }))?.peak).toBeNull();
  });

  test("gives less weight to a step that was much less steady than the others", () => {
    const law = { lambda: 100, sigma: 0.04, kappa: 0 };
    const steady = pointsOf(law);
    const off = steady.map((point, index) => (index === 4 ? { ...point, rate: point.rate * 1.5 } : point));
    const unsteady = off.map((point, index) =>
      index === 4 ? { ...point, rateError: point.rate / 2 } : point,
    );
    const errorAt100 = (points: readonly ScalingPoint[]): number => {
      const fit = fitScalability(points);
      return fit === null ? Infinity : Math.abs(predictRate(fit, 100) / predictRate(law, 100) - 1);
    };
    expect(errorAt100(off)).toBeGreaterThan(0.05);
    expect(errorAt100(unsteady)).toBeLessThan(0.01);
  });

  test("never has a negative coefficient, however throughput goes", () => {
    const rates = fc.array(fc.double({ min: 0.1, max: 1e5, noNaN: true }), { minLength: 4, maxLength: 9 });
    fc.assert(
      fc.property(rates, (given) => {
        const fit = fitScalability(
          given.map((rate, index) => ({ concurrency: ladder[index] ?? 1, rate, rateError: null })),
        );
        expect(fit?.lambda).toBeGreaterThan(0);
        expect(fit?.sigma).toBeGreaterThanOrEqual(0);
        expect(fit?.kappa).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("needs four steps with throughput", () => {
    const points = pointsOf({ lambda: 10, sigma: 0.1, kappa: 0 });
    expect(fitScalability(points.slice(0, 3))).toBeNull();
    expect(fitScalability(points.map((point) => ({ ...point, rate: 0 })))).toBeNull();
    expect(fitScalability(points.slice(0, 4))?.steps).toBe(4);
  });
});
