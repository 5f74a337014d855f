import { describe, expect, test } from "vitest";

import { classifyOverload } from "../../../src/outcome/overload/classify-overload.ts";
import {
  amplerServer,
  collapsingServer,
  queueingServer,
  sheddingServer,
  simulate,
} from "./simulated-server.ts";

/** The servers' limit, 250 requests a second at 4 ms each, lies between the rate and twice the rate. */
const load = { rate: 150, factor: 2, phaseMs: 12_000 };
const seeds = Array.from({ length: 30 }, (_, index) => index + 1);

const kinds = [
  ["holds", () => amplerServer(20)],
  ["sheds", () => sheddingServer(4, 30)],
  ["queues", () => queueingServer(4)],
  ["collapses", () => collapsingServer(4, 500)],
] as const;

describe("classifyOverload", () => {
  test.for(kinds)("finds a simulated server that %s for 9 of 10 seeds", ([kind, server]) => {
    const found = seeds.map((seed) => {
      return classifyOverload(load, simulate(load, server(), seed).seconds);
    });
    const right = found.filter((one) => one.kind === kind);
    expect(right.length).toBeGreaterThanOrEqual(seeds.length * 0.9);
  });

  test.for(kinds)(
    "times the recovery of a server that %s to within an interval for 9 of 10 seeds",
    ([, server]) => {
      const misses = seeds.map((seed) => {
        const { seconds, recoveredMs } = simulate(load, server(), seed);
        const afterMs = classifyOverload(load, seconds).recovery?.afterMs ?? Number.POSITIVE_INFINITY;
        return Math.abs(afterMs - recoveredMs);
      });
      const right = misses.filter((missedMs) => missedMs <= 1000);
      expect(right.length, `misses: ${misses.join(", ")}`).toBeGreaterThanOrEqual(seeds.length * 0.9);
    },
  );

  test.for(seeds.slice(0, 10))("does not call it shedding if the served requests wait (seed %i)", (seed) => {
    const { seconds } = simulate(load, sheddingServer(4, 1500), seed);
    const { kind, because } = classifyOverload(load, seconds);
    expect(kind).toBe("queues");
    expect(because).toMatch(/ % failed, and p95 went from .* ms to 1\.\d+ s$/);
  });

  test("does not say that a target holds a load if it refuses a part of it", () => {
    const short = { ...load, phaseMs: 5000 };
    const { seconds } = simulate(short, amplerServer(20), 2);
    const refusing = seconds.map((second) =>
      second.fromMs < 5000 || second.fromMs >= 10_000
        ? second
        : { ...second, goodput: second.goodput * 0.9, failed: second.goodput * 0.1 },
    );
    expect(classifyOverload(short, refusing).kind).toBe("sheds");
  });

  test("names the figures that the kind is based on", () => {
    const { seconds } = simulate(load, sheddingServer(4, 30), 1);
    const { because, phases } = classifyOverload(load, seconds);
    expect(because).toMatch(
      /^2\d\d\/s of 300\/s requests succeeded at the end, .* % failed, and p95 went from .* ms to .* ms$/,
    );
    expect(phases.map(({ name, offered }) => [name, offered])).toEqual([
      ["base", 150],
      ["past", 300],
      ["recovery", 150],
    ]);
  });

  test("is unclear about a target that does not handle the base rate", () => {
    const { seconds } = simulate(load, sheddingServer(20, 30), 1);
    const { kind, because } = classifyOverload(load, seconds);
    expect(kind).toBe("unclear");
    expect(because).toMatch(/^the target does not take the base rate: .* Choose a lower --rate$/);
  });

  test("is unclear about a run that ended too early in the phase past the rate", () => {
    const { seconds } = simulate(load, amplerServer(20), 1);
    const { kind, recovery, phases } = classifyOverload(load, seconds.slice(0, 14));
    expect(kind).toBe("unclear");
    expect(recovery).toBeNull();
    expect(phases.map(({ name }) => name)).toEqual(["base", "past"]);
  });

  test("distinguishes iterations that the generator dropped from requests that the target queued", () => {
    const { seconds } = simulate(load, amplerServer(20), 1);
    const halved = seconds.map((second) =>
      second.fromMs < 12_000 || second.fromMs >= 24_000
        ? second
        : { ...second, goodput: second.goodput / 1.5, dropped: second.goodput / 3 },
    );
    expect(classifyOverload(load, halved)).toMatchObject({
      kind: "unclear",
      because: expect.stringContaining("Was the load limited by the generator, --vus or -c?") as string,
    });
  });
});
