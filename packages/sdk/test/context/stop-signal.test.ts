import { expect, test } from "vitest";

import { StopSignal } from "../../src/index.ts";

const hostile = new Proxy(new StopSignal(), {
  get: () => expect.unreachable("a value that was thrown is not trusted"),
  getPrototypeOf: () => expect.unreachable("a value that was thrown is not trusted"),
});

test("a stop signal is distinguished from other thrown values without running their code", () => {
  expect(StopSignal.isStopSignal(new StopSignal())).toBe(true);
  const others = [
    null,
    undefined,
    "STOP_SIGNAL",
    7,
    {},
    { code: "STOP_SIGNAL", name: "StopSignal" },
    hostile,
  ];
  expect(others.filter((other) => StopSignal.isStopSignal(other))).toEqual([]);
});
