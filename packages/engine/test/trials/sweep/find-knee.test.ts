import { describe, expect, test } from "vitest";

import { findKnee } from "../../../src/trials/sweep/find-knee.ts";
import { limitedTrial, rateTrial, trialOf } from "../trial-of.ts";

const ladder = [1, 2, 4, 8, 16, 32, 64, 128];

describe("the knee of a ladder of users", () => {
  test.for([3, 5, 10, 16, 24, 50])("is at the %i requests that the server handles at once", (limit) => {
    const knee = findKnee(ladder.map((vus) => limitedTrial(vus, limit, 20)));
    expect(knee).toEqual({ state: "found", load: expect.closeTo(limit, 6) as number });
  });

  test("is where users with think time stop getting their full rate", () => {
    // 80 ms of think time, and 20 ms at a server that handles 4 requests at once: 20 users keep it busy.
    const steps = ladder.map((vus) => {
      const responseMs = Math.max(100, (vus / 4) * 20);
      return trialOf(vus, responseMs, { concurrency: vus * (1 - 80 / responseMs) });
    });
    expect(findKnee(steps)).toEqual({ state: "found", load: expect.closeTo(20, 6) as number });
  });

  test("is not reached while throughput grows with each step", () => {
    expect(findKnee(ladder.slice(0, 4).map((vus) => limitedTrial(vus, 16, 20))).state).toBe("not-reached");
    expect(findKnee(ladder.slice(0, 5).map((vus) => limitedTrial(vus, 16, 20))).state).toBe("not-reached");
  });

  test("is at or below the lowest load if more load adds nothing", () => {
    expect(findKnee([8, 16, 32].map((vus) => limitedTrial(vus, 2, 20)))).toEqual({
      state: "at-lowest-load",
      load: null,
    });
  });

  test("is unknown for a single step, and if no iteration ended", () => {
    expect(findKnee([limitedTrial(8, 2, 20)]).state).toBe("unknown");
    const idle = [4, 8].map((vus) => trialOf(vus, 20, { iterationRate: 0, busyVus: 0 }));
    expect(findKnee(idle).state).toBe("unknown");
  });
});

describe("the knee of a ladder of rates", () => {
  test("is the most that the target keeps up with", () => {
    const steps = [rateTrial(100, 100), rateTrial(200, 199), rateTrial(400, 310), rateTrial(800, 300)];
    expect(findKnee(steps)).toEqual({ state: "found", load: 310 });
  });

  test("is not reached if the target keeps up with every rate, and is below the lowest rate if with none", () => {
    expect(findKnee([rateTrial(100, 99), rateTrial(200, 198)]).state).toBe("not-reached");
    expect(findKnee([rateTrial(100, 60), rateTrial(200, 60)]).state).toBe("at-lowest-load");
  });
});
