import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createRandom } from "../../src/worker/random.ts";

const seeds = fc.nat();

describe("the random numbers of a VU", () => {
  test("are the same for the same seed and VU, and differ between VUs", () => {
    const draw = (seed: number, vu: number): unknown[] => {
      const random = createRandom(seed, vu);
      return [
        random(),
        random.integer(1, 1000),
        random.pick(["a", "b", "c"]),
        random.shuffle([1, 2, 3, 4, 5, 6, 7, 8]),
      ];
    };
    fc.assert(
      fc.property(seeds, fc.nat(10_000), (seed, vu) => {
        expect(draw(seed, vu)).toEqual(draw(seed, vu));
        expect(draw(seed, vu)).not.toEqual(draw(seed, vu + 1));
      }),
    );
  });

  test("as integers take every value from min to max", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: -50, max: 50 }), fc.nat(3), (seed, min, width) => {
        const random = createRandom(seed, 1);
        const seen = new Set(Array.from({ length: 200 }, () => random.integer(min, min + width)));
        expect([...seen].sort((left, right) => left - right)).toEqual(
          Array.from({ length: width + 1 }, (_, index) => min + index),
        );
      }),
    );
  });

  test("as integers refuse bounds without a whole number between", () => {
    const random = createRandom(1, 1);
    for (const [min, max] of [
      [2, 1],
      [0.2, 0.8],
      [NaN, 1],
      [1, NaN],
    ] as const) {
      expect(() => random.integer(min, max)).toThrow(RangeError);
      expect(() => random.integer(min, max)).toThrow("no whole number in this range");
    }
    expect([random.integer(0.2, 1.8), random.integer(-3, -3)]).toEqual([1, -3]);
  });

  test("pick each of a list, and refuse an empty one", () => {
    const random = createRandom(1, 1);
    const seen = new Set(Array.from({ length: 100 }, () => random.pick([undefined, "a", "b"])));
    expect(seen).toEqual(new Set([undefined, "a", "b"]));
    expect(() => random.pick([])).toThrow("the list is empty");
  });

  test("choose by weight, and never an item of weight 0", () => {
    const random = createRandom(4242, 1);
    const counts = { often: 0, seldom: 0, never: 0 };
    for (let time = 0; time < 10_000; time++) {
      counts[random.weighted([["never", 0] as const, ["often", 9] as const, ["seldom", 1] as const])]++;
    }
    expect(counts.never).toBe(0);
    expect(Math.abs(counts.often - 9000)).toBeLessThan(300);
    expect(() => random.weighted([["a", 0]])).toThrow("no weight is above 0");
    expect(() => random.weighted([])).toThrow("no weight is above 0");
  });

  test("say what they take, instead of an error of JavaScript", () => {
    const random = createRandom(1, 1);
    const list = "give a list, such as data.users; it got";
    const pairs = 'random.weighted: give a list of values and weights, such as [["a", 3], ["b", 1]]';
    // Tests run without a type check.
    for (const [draw, given, says] of [
      ["pick", undefined, `random.pick: ${list} undefined.`],
      ["pick", { a: 1 }, `random.pick: ${list} an object.`],
      ["shuffle", "abc", `random.shuffle: ${list} a string.`],
      ["weighted", {}, `${pairs}; it got an object.`],
      ["weighted", undefined, `${pairs}; it got undefined.`],
      ["weighted", ["a", "b"], `${pairs}; item 0 is a string without a finite number as its weight.`],
      [
        "weighted",
        [
          ["a", 1],
          ["b", "2"],
        ],
        `${pairs}; item 1 is an array without a finite number as its weight.`,
      ],
      ["weighted", [["a", NaN]], `${pairs}; item 0 is an array without a finite number as its weight.`],
      ["weighted", [["a", Infinity]], `${pairs}; item 0 is an array without a finite number as its weight.`],
    ] as const)
      expect((): unknown => Reflect.apply(random[draw], null, [given])).toThrow(new TypeError(says));
  });

  test("make UUIDs of version 4, the same again for the same seed", () => {
    fc.assert(
      fc.property(seeds, fc.nat(10_000), (seed, vu) => {
        const random = createRandom(seed, vu);
        const drawn = Array.from({ length: 20 }, () => random.uuid());
        for (const uuid of drawn)
          expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        expect(new Set(drawn).size).toBe(20);
        expect(createRandom(seed, vu).uuid()).toBe(drawn[0]);
        expect(createRandom(seed, vu + 1).uuid()).not.toBe(drawn[0]);
      }),
    );
  });

  test("shuffle a copy with the same items", () => {
    fc.assert(
      fc.property(seeds, fc.array(fc.integer()), (seed, list) => {
        const before = [...list];
        const shuffled = createRandom(seed, 1).shuffle(list);
        expect(list).toEqual(before);
        expect([...shuffled].sort()).toEqual(before.sort());
      }),
    );
  });
});
