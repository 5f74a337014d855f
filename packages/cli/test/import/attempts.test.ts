import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { describeAttempts, measureUntilQuiet, mostAttempts } from "./attempts.ts";

/** Blocks this process, as others on a busy machine would. */
function blockProcess(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test("a measurement without problems is not repeated, however busy the machine", async () => {
  const attempts = await measureUntilQuiet(async () => {
    for (let turn = 0; turn < 5; turn++) {
      blockProcess(60);
      await sleep(0);
    }
    return [];
  });
  expect(attempts.map(({ problems }) => problems)).toEqual([[]]);
});

test("a measurement with problems is repeated while timers are late, and every attempt is reported", async () => {
  let attempt = 0;
  const attempts = await measureUntilQuiet(async () => {
    for (let turn = 0; turn < 5; turn++) {
      blockProcess(60);
      await sleep(0);
    }
    return ++attempt < 3 ? [`home: ${attempt}00 ms too long`] : [];
  });
  expect(describeAttempts(attempts).replaceAll(/\d+\.\d/g, "N")).toBe(
    [
      "attempt 1, timers up to N ms late: home: 100 ms too long",
      "attempt 2, timers up to N ms late: home: 200 ms too long",
      "attempt 3, timers up to N ms late: as recorded",
    ].join("\n"),
  );
});

test("a measurement whose problem persists is given up after a limited number of attempts", async () => {
  const attempts = await measureUntilQuiet(() => Promise.resolve(["home: too long"]));
  expect(attempts.length).toBeLessThanOrEqual(mostAttempts);
  for (const { lateMs } of attempts.slice(0, -1)) expect(lateMs).toBeGreaterThan(5);
});
