import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import fc from "fast-check";
import { expect, test } from "vitest";

import { isUsual, timingsOf, type EndedRequest } from "../../src/samples/request-samples.ts";
import { request, rootScope } from "../../../metrics/test/root-scope.ts";

const stamp = fc.integer({ min: 0, max: 8_000_000 }).map((units) => units / 1000);
const mostly = <T>(usual: T, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, odd);

const never = Number.NaN;
/** Timestamps from the call to the end in order, some of them equal. */
const inOrder = fc.array(stamp, { minLength: 1, maxLength: 5 }).map((some) => {
  const sorted = [...some].sort((left, right) => left - right);
  const at = (index: number): number => sorted[Math.min(index, sorted.length - 1)] ?? 0;
  return { calledAt: at(0), startedAt: at(1), sentAt: at(2), firstByteAt: at(3), endedAt: at(4) };
});
/** Timestamps where the response came before the request was sent, or one or both never happened. */
const odd = fc
  .tuple(inOrder, fc.constantFrom("swapped", "unsent", "unanswered", "neither"))
  .map(([stamps, what]) => {
    const { sentAt, firstByteAt } = stamps;
    if (what === "swapped") return { ...stamps, sentAt: firstByteAt, firstByteAt: sentAt };
    return {
      ...stamps,
      sentAt: what === "unanswered" ? sentAt : never,
      firstByteAt: what === "unsent" ? firstByteAt : never,
    };
  });

const ended = fc.record({
  stamps: fc.oneof({ weight: 4, arbitrary: inOrder }, odd),
  intendedAt: mostly<number | null>(null, fc.constant(0)),
  pausedMs: mostly(0, fc.constant(0.001)),
  connection: mostly<EndedRequest["connection"]>(
    null,
    fc.constant({ lookingUp: 1, connecting: 2, tlsHandshaking: 3 }),
  ),
  wasStopped: mostly(false, fc.constant(true)),
  wasCutOff: mostly(false, fc.constant(true)),
  hasTimes: fc.constant(true),
  bytesSent: fc.nat(3),
  bytesReceived: fc.nat(3),
});

test("usual requests are recorded like all others", () => {
  const seen = { usual: 0, others: 0 };
  fc.assert(
    fc.property(fc.array(ended, { minLength: 1, maxLength: 40 }), (batch) => {
      const [quick, thorough] = [rootScope(), rootScope()];
      for (const { stamps, ...facts } of batch) {
        const one = { ...stamps, ...facts };
        const sample = {
          hasFailed: false,
          isCutOff: one.wasCutOff,
          hasWaited: true,
          hasReceived: true,
          phases: timingsOf(one, one.connection),
          bytesSent: one.bytesSent,
          bytesReceived: one.bytesReceived,
        };
        thorough.requests.of(thorough.root, request, true).record(sample);
        const series = quick.requests.of(quick.root, request, true);
        if (isUsual(one)) series.recordUsual(one);
        else series.record(sample);
        seen[isUsual(one) ? "usual" : "others"]++;
      }
      expect(new SnapshotTaker(quick.registry).take()).toEqual(new SnapshotTaker(thorough.registry).take());
    }),
  );
  expect(seen.usual).toBeGreaterThan(100);
  expect(seen.others).toBeGreaterThan(100);
});
