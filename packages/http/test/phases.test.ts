import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { timingsOf } from "../src/samples/request-samples.ts";

const stamps = {
  calledAt: 100,
  intendedAt: null,
  startedAt: 130,
  sentAt: 131,
  firstByteAt: 150,
  endedAt: 170,
  pausedMs: 0,
};

describe("the phases of a request", () => {
  test("are those of k6: blocked, then sending, waiting and receiving, which add up to the duration", () => {
    expect(timingsOf(stamps, null)).toEqual({
      blocked: 30,
      lookingUp: 0,
      connecting: 0,
      tlsHandshaking: 0,
      sending: 1,
      waiting: 19,
      receiving: 20,
      duration: 40,
      responseTime: 70,
    });
  });

  test("include the opening of the connection for its first request", () => {
    const opened = { lookingUp: 5, connecting: 10, tlsHandshaking: 12 };
    expect(timingsOf(stamps, opened)).toMatchObject({ ...opened, blocked: 30 });
  });

  test("measure the response time from the intended start, if there is one", () => {
    expect(timingsOf({ ...stamps, intendedAt: 20 }, null)).toMatchObject({
      responseTime: 150,
      duration: 40,
    });
  });

  test.each([
    { ended: { sentAt: NaN, firstByteAt: NaN }, sending: 40, waiting: 0, receiving: 0 },
    { ended: { firstByteAt: NaN }, sending: 1, waiting: 39, receiving: 0 },
    { ended: { sentAt: 160, firstByteAt: 150 }, sending: 30, waiting: 0, receiving: 10 },
    { ended: { sentAt: NaN, firstByteAt: 150 }, sending: 20, waiting: 0, receiving: 20 },
  ])("end when the request ended: $ended", ({ ended, sending, waiting, receiving }) => {
    const phases = timingsOf({ ...stamps, ...ended }, null);
    expect(phases).toMatchObject({ sending, waiting, receiving, duration: 40 });
  });

  test("consist of the wait for a connection if none opened", () => {
    const never = { ...stamps, startedAt: NaN, sentAt: NaN, firstByteAt: NaN };
    expect(timingsOf(never, null)).toMatchObject({ blocked: 70, sending: 0, waiting: 0, duration: 0 });
  });

  test("are never negative and always add up", () => {
    const gap = fc.nat(100);
    const missing = fc.constantFrom("none", "sent", "firstByte", "both");
    fc.assert(
      fc.property(gap, gap, fc.nat(100), fc.nat(100), missing, (blocked, duration, sent, first, without) => {
        const startedAt = 1000 + blocked;
        const endedAt = startedAt + duration;
        const sentAt = without === "sent" || without === "both" ? NaN : startedAt + Math.min(sent, duration);
        const firstByteAt =
          without === "firstByte" || without === "both" ? NaN : startedAt + Math.min(first, duration);
        const phases = timingsOf(
          { calledAt: 1000, intendedAt: null, startedAt, sentAt, firstByteAt, endedAt, pausedMs: 0 },
          null,
        );
        for (const value of Object.values(phases)) expect(value).toBeGreaterThanOrEqual(0);
        expect(phases.sending + phases.waiting + phases.receiving).toBe(phases.duration);
        expect(phases.blocked + phases.duration).toBe(phases.responseTime);
      }),
    );
  });
});
