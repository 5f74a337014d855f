import { describe, expect, test } from "vitest";

import { isTargetDown, loadToRetry, type TriedLoad } from "../../src/trials/collapse.ts";

const served = (...loads: readonly number[]): TriedLoad[] =>
  loads.map((load) => ({ load, hasCollapsed: false }));
const collapsed = (load: number): TriedLoad => ({ load, hasCollapsed: true });

describe("after the last load, in the order in which they were tried", () => {
  test.each([
    { what: "nothing was tried", tried: [], retry: null, isDown: false },
    { what: "all was served", tried: served(1, 2), retry: null, isDown: false },
    { what: "nothing was ever served", tried: [collapsed(1), collapsed(2)], retry: null, isDown: false },
    { what: "it collapsed", tried: [...served(4, 2, 3), collapsed(8)], retry: 2, isDown: false },
    {
      what: "it was served again",
      tried: [...served(2), collapsed(8), ...served(2)],
      retry: null,
      isDown: false,
    },
    {
      what: "it collapsed twice",
      tried: [...served(2), collapsed(8), collapsed(6)],
      retry: 2,
      isDown: false,
    },
    {
      what: "a load collapsed that was served before",
      tried: [...served(2, 4), collapsed(2)],
      retry: null,
      isDown: true,
    },
    { what: "a lower load collapsed", tried: [...served(2, 4), collapsed(1)], retry: null, isDown: true },
  ])("if $what, the load to retry is $retry, and the target is down: $isDown", ({ tried, retry, isDown }) => {
    expect([loadToRetry(tried), isTargetDown(tried)]).toEqual([retry, isDown]);
  });
});
