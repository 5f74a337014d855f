import { expect, test } from "vitest";

import { readLinkSpeed } from "../../src/test-file/quantities.ts";

test.each([
  ["900Mbps", 900e6],
  ["1Gbps", 1e9],
  ["10Gbit/s", 10e9],
  ["2.5 Gb/s", 2.5e9],
  ["512kbit", 512e3],
  ["1gbps", 1e9],
])("%s is read", (text, bitsPerSecond) => {
  const problems: string[] = [];
  expect(readLinkSpeed(text, problems)).toBe(bitsPerSecond);
  expect(problems).toEqual([]);
});

test.each(["fast", "", "0Mbps", "-1Gbps", "1000", "100MB/s", "1GBps", "1e3Mbps", "1Gbps/s"])(
  "%j is refused in one sentence",
  (text) => {
    const problems: string[] = [];
    expect(readLinkSpeed(text, problems)).toBeNull();
    expect(problems).toEqual([
      `--link ${text}: must be a speed in bits, such as 900Mbps, 1Gbps or 10Gbit/s.`,
    ]);
  },
);

test("a missing speed is no problem", () => {
  const problems: string[] = [];
  expect(readLinkSpeed(undefined, problems)).toBeNull();
  expect(problems).toEqual([]);
});
