import { expect, test } from "vitest";

import { SharedSamples, type SharedSample } from "../../src/protocol/shared-samples.ts";

const timings = {
  blocked: 0.5,
  lookingUp: 1,
  connecting: 2,
  tlsHandshaking: 3,
  sending: 4,
  waiting: 5,
  receiving: 6,
  duration: 15,
  responseTime: 16.5,
};

function sample(parts: Partial<SharedSample> = {}): SharedSample {
  const usual = { kind: 0, calledAt: 1.25, status: 200, timings, bytesSent: 70, bytesReceived: 2 ** 33 };
  return { ...usual, traceId: null, ...parts };
}

function takeAll(samples: SharedSamples, most = Infinity): SharedSample[] {
  const taken: SharedSample[] = [];
  samples.take(most, (one) => taken.push(one) > 0);
  return taken;
}

test("samples come out in order, as they went in, also in another view of the memory", () => {
  const samples = new SharedSamples();
  const given = [
    sample(),
    sample({ kind: 3, timings: null, status: 0 }),
    sample({ bytesSent: 0, traceId: "00000001fffffffe80000000a3ce929d" }),
  ];
  for (const one of given) samples.add(one);
  expect(takeAll(new SharedSamples(samples.buffer))).toEqual(given);
  expect(takeAll(samples)).toEqual([]);
});

test("a full ring sheds and counts new samples, and has room again once it is read", () => {
  const samples = new SharedSamples();
  let added = 0;
  while (samples.shed === 0) samples.add(sample({ kind: added++ }));
  const capacity = added - 1;
  samples.add(sample());
  expect(samples.shed).toBe(2);
  expect(takeAll(samples, 10).map(({ kind }) => kind)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (let index = 0; index < 10; index++) samples.add(sample({ kind: -index }));
  expect(samples.shed).toBe(2);
  const rest = takeAll(samples);
  expect(rest).toHaveLength(capacity);
  expect(rest.slice(-2).map(({ kind }) => kind)).toEqual([-8, -9]);
});

test("a sample that is not taken stays", () => {
  const samples = new SharedSamples();
  for (const kind of [0, 1, 2]) samples.add(sample({ kind }));
  expect(samples.take(10, ({ kind }) => kind < 1)).toBe(1);
  expect(takeAll(samples).map(({ kind }) => kind)).toEqual([1, 2]);
});
