import type { ErrorResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { unhandledErrors, unfiredTimers } from "../../../src/outcome/verdict/thrown-errors.ts";
import { endingOf } from "./ending-of.ts";

const unhandled: ErrorResult = {
  code: "UNCAUGHT_EXCEPTION",
  cause: null,
  message: "Error: late",
  name: "(outside an iteration)",
  count: 2,
  firstAtMs: 9,
  source: { file: "shop.ts", line: 7, column: 3 },
  frame: "> 7 | throw",
};

test("errors outside of iterations fail the run, with the first of them and its lines of source", () => {
  const first = {
    ...unhandled,
    code: "UNHANDLED_REJECTION",
    message: "Error: early",
    count: 1,
    firstAtMs: 1,
  };
  expect(unhandledErrors(endingOf({ errors: [unhandled, first] }))).toEqual([
    {
      code: 99,
      message:
        "3 errors were thrown outside of all iterations, where nothing awaited or caught them; first error: Error: early at shop.ts:7:3\n> 7 | throw",
    },
  ]);
  expect(unhandledErrors(endingOf({ errors: [{ ...first, frame: null }] }))[0]?.message).toBe(
    "an error was thrown outside of all iterations, where nothing awaited or caught it; first error: Error: early at shop.ts:7:3",
  );
});

test("errors of known iterations count in their rates instead, and those of a run that was cut short are not judged", () => {
  const known = { ...unhandled, name: "visits" };
  expect(unhandledErrors(endingOf({ errors: [known, { ...unhandled, code: "(other)" }] }))).toEqual([]);
  expect(unhandledErrors(endingOf({ errors: [unhandled], interruptedBy: "SIGINT" }))).toEqual([]);
});

test("timers that had not fired are noted, with their scenario if they share one", () => {
  const timer: ErrorResult = { ...unhandled, code: "TIMER_NOT_FIRED", name: "visits", count: 1 };
  const messagesOf = (...errors: readonly ErrorResult[]): string[] =>
    unfiredTimers(endingOf({ errors })).map(({ code, message }) => `${code}: ${message}`);
  expect(messagesOf(unhandled)).toEqual([]);
  expect(messagesOf(timer)).toEqual([
    "0: a timer of visits had not fired when the run ended, so its code did not run, at shop.ts:7:3",
  ]);
  expect(messagesOf(timer, { ...timer, name: "orders", count: 3, firstAtMs: 2, source: null })).toEqual([
    "0: 4 timers had not fired when the run ended, so their code did not run",
  ]);
});
