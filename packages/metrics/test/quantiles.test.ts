import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { normalQuantile, studentQuantile, studentTail } from "../src/quantiles.ts";

const probabilities = [1e-9, 1e-4, 0.005, 0.025, 0.05, 0.3, 0.6, 0.95, 0.975, 0.9995];

/** By @stdlib/stats-base-dists-normal-quantile 0.3.1 and -t-quantile 0.2.3, whose 236 packages are too many for a test. */
const normal = [
  -5.997807010584735, -3.719016485455709, -2.5758293035489004, -1.9599639845400538, -1.644853626951473,
  -0.5244005127080409, 0.2533471031357998, 1.6448536269514724, 1.9599639845400538, 3.2905267314919255,
];
const student: [freedom: number, quantiles: number[]][] = [
  [
    1,
    [
      -318309886.1837907, -3183.0987571181513, -63.65674116287159, -12.706204736174705, -6.313751514675044,
      -0.7265425280053609, 0.32491969623290623, 6.313751514675037, 12.706204736174694, 636.6192487687897,
    ],
  ],
  [
    1.5,
    [
      -521946.94273343723, -242.26409884650627, -17.82031051446281, -6.016663104427932, -3.7051808200967518,
      -0.6517954826023571, 0.3007453925697954, 3.705180820096749, 6.016663104427929, 82.84744670366369,
    ],
  ],
  [
    2,
    [
      -22360.67974145688, -70.70007107496428, -9.924843200918293, -4.302652729749464, -2.919985580353726,
      -0.6172133998483676, 0.28867513459481287, 2.9199855803537242, 4.302652729749462, 31.599054576445365,
    ],
  ],
  [
    3.7,
    [
      -334.2256705824838, -14.780396445535027, -4.869252253227829, -2.8675207071911903, -2.182493803914603,
      -0.5724353841388493, 0.2721644642920693, 2.1824938039146016, 2.8675207071911895, 9.474240137124665,
    ],
  ],
  [
    5,
    [
      -98.93722464836996, -9.677566300882592, -4.032142983555229, -2.5705818356363146, -2.0150483733330242,
      -0.5594296444693608, 0.26718086570414507, 2.015048373333024, 2.570581835636314, 6.868826625881274,
    ],
  ],
  [
    12,
    [
      -15.894813362266058, -5.2632730078259655, -3.0545395893929026, -2.1788128296672284, -1.7822875556493203,
      -0.5386176682019164, 0.25903274567688694, 1.7822875556493198, 2.1788128296672284, 4.317791283606247,
    ],
  ],
  [
    60,
    [
      -7.056971576666669, -3.9620893647059403, -2.660283028855037, -2.00029782201426, -1.6706488649046367,
      -0.5271981272297473, 0.2544733949895311, 1.6706488649046363, 2.00029782201426, 3.4602004691963915,
    ],
  ],
  [
    1000,
    [
      -6.053690272079833, -3.732851604575368, -2.580754698065951, -1.9623390808264083, -1.6463788172854645,
      -0.524567707309227, 0.25341451583949864, 1.646378817285464, 1.9623390808264078, 3.300282648423944,
    ],
  ],
  [
    250000,
    [
      -5.998028783105576, -3.719071643232062, -2.5758489698806524, -1.9599734736701355, -1.6448597220507861,
      -0.5244011813172228, 0.25334737274409536, 1.6448597220507857, 1.9599734736701353, 3.2905656508327104,
    ],
  ],
];

describe("quantiles", () => {
  test("of the normal distribution are those of @stdlib", () => {
    for (const [at, probability] of probabilities.entries())
      expectClose(normalQuantile(probability), normal[at]!);
  });

  test.for(student)(
    "of Student's t-distribution with %d degrees of freedom are those of @stdlib",
    ([freedom, quantiles]) => {
      for (const [at, probability] of probabilities.entries())
        expectClose(studentQuantile(probability, freedom), quantiles[at]!);
    },
  );

  test("of 1 and 2 degrees of freedom are those of their formulas", () => {
    const shares = fc
      .double({ min: 1e-6, max: 1 - 1e-6, noNaN: true })
      .filter((p) => Math.abs(p - 0.5) > 1e-6);
    fc.assert(
      fc.property(shares, (p) => {
        expectClose(studentQuantile(p, 1), -1 / Math.tan(Math.PI * p));
        expectClose(studentQuantile(p, 2), (2 * p - 1) / Math.sqrt(2 * p * (1 - p)));
      }),
    );
  });

  test("lead back to their probability, whatever the degrees of freedom", () => {
    const freedoms = fc.double({ min: 0.5, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(freedoms, fc.double({ min: 1e-12, max: 0.49, noNaN: true }), (freedom, tail) => {
        expect(studentTail(-studentQuantile(tail, freedom), freedom) / tail).toBeCloseTo(1, 9);
      }),
    );
  });

  test("are infinite for probabilities 0 and 1, and 0 for one half", () => {
    expect([0, 0.5, 1].map(normalQuantile)).toEqual([-Infinity, 0, Infinity]);
    expect([0, 0.5, 1].map((p) => studentQuantile(p, 3))).toEqual([-Infinity, 0, Infinity]);
  });
});

function expectClose(actual: number, expected: number): void {
  expect(Math.abs(actual / expected - 1)).toBeLessThan(1e-9);
}
