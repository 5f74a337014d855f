import type { CounterSample, Quantity } from "@bearhug/plan/monitors/quantity";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Rates } from "../../src/monitors/rates.ts";

function counted(value: number, countedAtMs: number | null = null, series = "a"): CounterSample {
  return { kind: "counter", gauge: "requests", unit: "/s", series, value, countedAtMs };
}

function share(part: number, whole: number, series = "0"): Quantity {
  return { kind: "share", gauge: "cpu", series, part, whole };
}

describe("counters", () => {
  it("have no rate at first, then their growth per second", () => {
    const rates = new Rates();
    expect(rates.read([counted(100)], 1000)).toEqual({});
    expect(rates.read([counted(130)], 1500)).toEqual({ requests: { unit: "/s", value: 60 } });
  });

  it("that fell are taken to have restarted at 0", () => {
    const rates = new Rates();
    rates.read([counted(100)], 0);
    expect(rates.read([counted(7)], 1000)["requests"]?.value).toBe(7);
    expect(rates.read([counted(-50)], 2000)["requests"]?.value).toBe(0);
  });

  it("that were not read for a while have the mean rate of that time, with its length", () => {
    const rates = new Rates();
    rates.read([counted(0), share(0, 100)], 0);
    expect(rates.read([counted(60), share(60, 700)], 6100)).toMatchObject({
      requests: { value: 60_000 / 6100, seconds: 6 },
      cpu: { value: 10, seconds: 6 },
    });
    expect(rates.read([counted(1), share(1, 2)], 8100)).toEqual({
      requests: { unit: "/s", value: 0.5 },
      cpu: { unit: "%", value: 50 },
    });
  });

  it("of a source with timestamps have rates by its clock, and none while its timestamp is the same", () => {
    const rates = new Rates();
    rates.read([counted(100, 50_000)], 0);
    expect(rates.read([counted(100, 50_000)], 1000)).toEqual({});
    expect(rates.read([counted(400, 60_000)], 2000)["requests"]?.value).toBe(30);
  });

  it("of one gauge are added up; a new series counts from its second reading on", () => {
    const rates = new Rates();
    rates.read([counted(10, null, "a")], 0);
    expect(rates.read([counted(11, null, "a"), counted(500, null, "b")], 1000)["requests"]?.value).toBe(1);
    expect(rates.read([counted(12, null, "a"), counted(502, null, "b")], 2000)["requests"]?.value).toBe(3);
  });

  it("never have a negative rate, and without resets all rates add up to the whole growth", () => {
    const steps = fc.array(
      fc.record({ by: fc.nat(1e6), ms: fc.integer({ min: 1, max: 5000 }), isReset: fc.boolean() }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        const rates = new Rates();
        let [value, nowMs, grown] = [1000, 0, 0];
        rates.read([counted(value)], nowMs);
        for (const { by, ms, isReset } of all) {
          const before = value;
          value = isReset ? by : value + by;
          nowMs += ms;
          const rate = rates.read([counted(value)], nowMs)["requests"]?.value ?? Number.NaN;
          expect(rate).toBeGreaterThanOrEqual(0);
          // A reset that ends above the value before cannot be told from growth.
          const growth = isReset && value >= before ? value - before : by;
          grown += (rate * ms) / 1000 - growth;
        }
        expect(Math.abs(grown)).toBeLessThan(1e-3);
      }),
    );
  });
});

describe("shares", () => {
  it("are the part's growth over the whole's growth, however short the time between", () => {
    const rates = new Rates();
    expect(rates.read([share(10, 100)], 0)).toEqual({});
    expect(rates.read([share(40, 200)], 17)).toEqual({ cpu: { unit: "%", value: 30 } });
  });

  it("of several series are weighted by their growth", () => {
    const rates = new Rates();
    rates.read([share(0, 0, "0"), share(0, 0, "1")], 0);
    expect(rates.read([share(100, 100, "0"), share(0, 300, "1")], 1)["cpu"]?.value).toBe(25);
  });

  it("have no value while the whole does not grow", () => {
    const rates = new Rates();
    rates.read([share(10, 100)], 0);
    expect(rates.read([share(10, 100)], 1000)).toEqual({});
    expect(rates.read([share(15, 110)], 2000)["cpu"]?.value).toBe(50);
  });

  it("lie between 0 and 100, even if the kernel's numbers go down", () => {
    const samples = fc.array(fc.tuple(fc.nat(1e6), fc.nat(1e6)), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(samples, (all) => {
        const rates = new Rates();
        for (const [part, whole] of all) {
          const percent = rates.read([share(part, whole)], 0)["cpu"]?.value ?? 0;
          expect(percent).toBeGreaterThanOrEqual(0);
          expect(percent).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});

it("levels of one gauge are added up", () => {
  const level = (value: number): Quantity => ({ kind: "level", gauge: "sockets", unit: null, value });
  expect(new Rates().read([level(3), level(4)], 0)).toEqual({ sockets: { unit: null, value: 7 } });
});
