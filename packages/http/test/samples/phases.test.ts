import { describe, expect, test } from "vitest";

import { timingsOf, type ExchangeStamps } from "../../src/samples/request-samples.ts";

const never = Number.NaN;
const answered: ExchangeStamps = {
  calledAt: 1000,
  intendedAt: null,
  startedAt: 1010,
  sentAt: 1012,
  firstByteAt: 1020,
  endedAt: 1025,
  pausedMs: 0,
};

function phasesOf(stamps: Partial<ExchangeStamps>) {
  const { blocked, sending, waiting, receiving, duration } = timingsOf({ ...answered, ...stamps }, null);
  return { blocked, sending, waiting, receiving, duration };
}

describe("the phases of a request", () => {
  test.each([
    {
      request: "that was answered",
      stamps: {},
      phases: { blocked: 10, sending: 2, waiting: 8, receiving: 5, duration: 15 },
    },
    {
      request: "whose response was paused for 2 ms",
      stamps: { pausedMs: 2 },
      phases: { blocked: 10, sending: 2, waiting: 8, receiving: 3, duration: 13 },
    },
    {
      request: "whose connection never opened",
      stamps: { startedAt: never, sentAt: never, firstByteAt: never },
      phases: { blocked: 25, sending: 0, waiting: 0, receiving: 0, duration: 0 },
    },
    {
      request: "that failed while it was sent",
      stamps: { sentAt: never, firstByteAt: never },
      phases: { blocked: 10, sending: 15, waiting: 0, receiving: 0, duration: 15 },
    },
    {
      request: "that failed while it waited",
      stamps: { firstByteAt: never },
      phases: { blocked: 10, sending: 2, waiting: 13, receiving: 0, duration: 15 },
    },
    {
      request: "whose response began before it was sent",
      stamps: { sentAt: 1022 },
      phases: { blocked: 10, sending: 12, waiting: 0, receiving: 3, duration: 15 },
    },
    {
      request: "whose response began, and that was never sent whole",
      stamps: { sentAt: never },
      phases: { blocked: 10, sending: 10, waiting: 0, receiving: 5, duration: 15 },
    },
    {
      request: "whose response was complete before it was sent",
      stamps: { sentAt: 1030 },
      phases: { blocked: 10, sending: 20, waiting: 0, receiving: 0, duration: 15 },
    },
  ])("$request", ({ stamps, phases }) => {
    expect(phasesOf(stamps)).toEqual(phases);
  });

  test("include those of the opening for a new connection, and zeros for a reused one", () => {
    const opening = { lookingUp: 1, connecting: 2, tlsHandshaking: 3 };
    expect(timingsOf(answered, opening)).toMatchObject(opening);
    expect(timingsOf(answered, null)).toMatchObject({ lookingUp: 0, connecting: 0, tlsHandshaking: 0 });
  });

  test("count for the response time from the intended start, or else from the call", () => {
    expect(timingsOf(answered, null).responseTime).toBe(25);
    expect(timingsOf({ ...answered, intendedAt: 900 }, null).responseTime).toBe(125);
    expect(timingsOf({ ...answered, pausedMs: 4 }, null).responseTime).toBe(21);
  });
});
