import { chooseExitCode, type ExitCode } from "@bearhug/metrics/results/exit-codes";
import type { ThresholdResult } from "@bearhug/sdk";
import { ownWords } from "@bearhug/text/masked-text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { decideVerdict } from "../../../src/outcome/verdict/decide-verdict.ts";
import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import { endingOf } from "./ending-of.ts";

const requests = (succeeded: number, failed: number) => [
  {
    name: "GET /",
    started: succeeded + failed,
    sent: succeeded + failed,
    succeeded,
    failed,
    interrupted: 0,
    lost: 0,
  },
];

function ending(changes: Partial<Ending> = {}, counted = requests(10, 1)): Ending {
  return endingOf(changes, { requests: counted });
}

function threshold(changes: Partial<ThresholdResult> = {}): ThresholdResult {
  return {
    metric: "http_req_duration",
    expression: "p(95)<300ms",
    passed: false,
    actual: 412.345_678,
    unit: "ms",
    samples: 10,
    window: null,
    allowEmpty: false,
    source: null,
    ...changes,
  };
}

const lost = { id: 1, lost: "ran out of heap", isRunning: false };

/** The reasons for a verdict, in order of precedence. */
const reasons: {
  readonly code: ExitCode;
  readonly verdict: string;
  readonly changes: Partial<Ending>;
  readonly says: string;
}[] = [
  {
    code: 107,
    verdict: "errored",
    changes: { failures: [{ stage: "setup", thrown: { message: ownWords`no`, position: null } }] },
    says: "setup failed",
  },
  { code: 109, verdict: "errored", changes: { workers: [lost] }, says: "worker 1 was lost: ran out of heap" },
  { code: 105, verdict: "interrupted", changes: { interruptedBy: "SIGINT" }, says: "interrupted by SIGINT" },
  {
    code: 105,
    verdict: "interrupted",
    changes: { teardownSignal: { signal: "SIGTERM", hasCutOff: true } },
    says: "teardown",
  },
  {
    code: 108,
    verdict: "aborted",
    changes: { abortReason: "no users" },
    says: "aborted by the test: no users",
  },
  {
    code: 112,
    verdict: "failed",
    changes: { isGeneratorSaturated: true, isStrictGenerator: true },
    says: "the load generator was saturated",
  },
  {
    code: 99,
    verdict: "failed",
    changes: { thresholds: [threshold()] },
    says: "threshold failed: http_req_duration: p(95)<300ms (was 412 ms)",
  },
  {
    code: 99,
    verdict: "failed",
    changes: { unevaluated: ["threshold checks{user:7} could not be evaluated"] },
    says: "threshold checks{user:7} could not be evaluated",
  },
];

describe("the verdict", () => {
  test("of a run in which nothing went wrong is passed", () => {
    const passed = ending({ thresholds: [threshold({ passed: true })], workers: [{ ...lost, lost: null }] });
    expect(decideVerdict(passed)).toEqual({ verdict: "passed", exitCode: 0, messages: [], notes: [] });
  });

  test.each(reasons)(
    "is $verdict, with exit code $code and this message: $says",
    ({ code, verdict, changes, says }) => {
      const decided = decideVerdict(ending(changes));
      expect(decided).toMatchObject({ verdict, exitCode: code });
      expect(decided.messages).toHaveLength(1);
      expect(decided.messages[0]).toContain(says);
    },
  );

  test("of several reasons is the first in precedence, and all have messages", () => {
    fc.assert(
      fc.property(fc.subarray(reasons, { minLength: 1 }), (held) => {
        const together = held.reduce<Partial<Ending>>((all, { changes }) => ({ ...all, ...changes }), {});
        const decided = decideVerdict(ending(together));
        expect(decided.exitCode).toBe(held[0]?.code);
        expect(decided.verdict).toBe(held[0]?.verdict);
        expect(decided.messages).toHaveLength(held.length);
        for (const { says } of held)
          expect(decided.messages.some((message) => message.includes(says))).toBe(true);
      }),
    );
  });

  const onChecks = threshold({ metric: "checks", expression: "rate>99%", actual: 0.5, unit: "%" });

  test.each([
    [{ page: "notes/new", group: null }, "page notes/new"],
    [{ page: "notes/new", group: "form" }, "page notes/new"],
    [{ page: null, group: "POST /notes" }, "group POST /notes"],
    [{ page: null, group: null }, "scenario s"],
  ])("of a threshold on all checks names the first that did not hold, with %j", (step, place) => {
    const failed = { name: "ends at /", scenario: "s", ...step, passes: 1, fails: 1, exception: null };
    const checks = [{ ...failed, name: "ok", fails: 0 }, failed, { ...failed, name: "created", passes: 0 }];
    const { messages } = decideVerdict(ending({ thresholds: [onChecks], checks }));
    expect(messages).toEqual([
      `threshold failed: checks: rate>99% (was 50.00 %; first: "ends at /" in ${place})`,
    ]);
  });

  test("of a threshold on all checks names none if all held, or if there are no checks", () => {
    const held = { name: "ok", scenario: "s", page: null, group: null, passes: 2, fails: 0, exception: null };
    for (const checks of [[held], []])
      expect(decideVerdict(ending({ thresholds: [onChecks], checks })).messages).toEqual([
        "threshold failed: checks: rate>99% (was 50.00 %)",
      ]);
  });

  test("fails if a check threw every time, with the exception and its place", () => {
    const exception = {
      count: 7,
      message: "TypeError: no",
      firstAtMs: 1,
      frame: null,
      source: { file: "t.ts", line: 3, column: 5 },
    };
    const broken = {
      name: "has users",
      scenario: "s",
      page: null,
      group: null,
      passes: 0,
      fails: 7,
      exception,
    };
    expect(decideVerdict(ending({ checks: [broken] }))).toEqual({
      verdict: "failed",
      exitCode: 99,
      messages: ['check "has users" in scenario s threw in all 7 evaluations at t.ts:3:5: TypeError: no'],
      notes: [],
    });
    const spared = [
      { ...broken, passes: 1 },
      { ...broken, fails: 8 },
      { ...broken, exception: null },
    ];
    expect(decideVerdict(ending({ checks: spared }))).toMatchObject({ exitCode: 0, messages: [] });
    const once = { ...broken, page: "home", fails: 1, exception: { ...exception, count: 1, source: null } };
    const { messages } = decideVerdict(ending({ checks: Array.from({ length: 5 }, () => once) }));
    expect(messages).toHaveLength(4);
    expect(messages[0]).toBe(
      'check "has users" in page home of scenario s threw in its only evaluation: TypeError: no',
    );
    expect(messages[3]).toBe("2 more checks threw every time");
    const inGroup = ending({ checks: [{ ...once, group: "POST /notes" }] });
    expect(decideVerdict(inGroup).messages[0]).toMatch(
      /^check "has users" in group POST \/notes of page home of scenario s threw/,
    );
    const four = decideVerdict(ending({ checks: Array.from({ length: 4 }, () => once) }));
    expect(four.messages[3]).toBe("1 more check threw every time");
  });

  test("fails if nothing was started after the warm-up, unless the user ended the run", () => {
    const before = ending({}, requests(0, 0));
    const { iterations } = before.accounting;
    const warmup = { iterations: { ...iterations, scheduled: 3, started: 3, completed: 3 }, requests: [] };
    const accounting = { ...before.accounting, warmup };
    expect(decideVerdict({ ...before, accounting })).toMatchObject({
      exitCode: 99,
      messages: ["nothing was measured: the load ended during its warm-up"],
    });
    expect(decideVerdict({ ...before, accounting, interruptedBy: "SIGINT" })).toMatchObject({
      exitCode: 105,
      messages: [expect.stringContaining("SIGINT")],
    });
    const measured = {
      ...accounting,
      iterations: { ...iterations, scheduled: 1, started: 1, completed: 1 },
      requests: requests(1, 0),
    };
    expect(decideVerdict({ ...before, accounting: measured }).exitCode).toBe(0);
  });

  test("of a load that was complete does not change if a signal comes in teardown", () => {
    const teardownSignal = { signal: "SIGINT", hasCutOff: false };
    expect(decideVerdict(ending({ teardownSignal }))).toEqual({
      verdict: "passed",
      exitCode: 0,
      messages: [],
      notes: ["SIGINT arrived after the load had ended; teardown ran to completion"],
    });
    expect(decideVerdict(ending({ teardownSignal, thresholds: [threshold()] })).exitCode).toBe(99);
  });

  test.each([
    [{ durationMs: 0, isLoadOver: false }, null, "before anything was measured; these are"],
    [{ durationMs: 8990, isLoadOver: false }, null, "after 9 s of load; these are"],
    [{ durationMs: 2000, isLoadOver: true }, null, "in teardown, after the load was complete"],
    [{ durationMs: 2000, isLoadOver: true }, "SIGINT", "in teardown, after the load had ended"],
  ])("of a process that was killed %j is errored, with the time", (killed, interruptedBy, says) => {
    const decided = decideVerdict(ending({ isTruncated: true, ...killed, interruptedBy }));
    expect(decided.exitCode).toBe(109);
    expect(decided.messages[0]).toContain(`the run was killed ${says}`);
  });

  test("says that a value is only a lower bound, and why", () => {
    const cutOff = { actual: 1200, samples: 50, censoredSamples: 12 };
    const { exitCode, messages } = decideVerdict(
      ending({
        thresholds: [
          threshold({ ...cutOff, expression: "p(95)<2s" }),
          threshold({ ...cutOff, expression: "p(95)<2s", metric: "iteration_duration" }),
        ],
      }),
    );
    expect(exitCode).toBe(99);
    expect(messages).toEqual([
      "threshold failed: http_req_duration: p(95)<2s (was at least 1.20 s: 12 of 50 requests never got a complete response)",
      "threshold failed: iteration_duration: p(95)<2s (was at least 1.20 s: 12 of 50 were cut off before they ended)",
    ]);
  });

  test("says in which window a threshold failed, unless that was the whole run", () => {
    const messageOf = (failedAtMs: number): string =>
      decideVerdict(
        ending({ thresholds: [threshold({ window: { widthMs: 10_000, failedAtMs } })] }),
      ).messages.join();
    expect(messageOf(45_000)).toContain("(was 412 ms in the 10 s up to 45 s)");
    expect(messageOf(10_000)).toContain("(was 412 ms in the 10 s up to 10 s)");
    expect(messageOf(8123)).toContain("(was 412 ms)");
  });

  test("ignores a threshold that was not judged, and takes one without samples as failed", () => {
    expect(decideVerdict(ending({ thresholds: [threshold({ passed: null })] })).exitCode).toBe(0);
    const empty = decideVerdict(ending({ thresholds: [threshold({ actual: null, samples: 0 })] }));
    expect(empty.messages[0]).toMatch(/\(no samples\)$/);
    const gauge = { type: "gauge", unit: "%", values: { value: 1, avg: 1, min: 1, max: 1 } } as const;
    const misspelt = threshold({ metric: "server.cpus", actual: null, samples: 0 });
    const monitored = ending({
      thresholds: [misspelt],
      metrics: { "server.cpu": gauge, "server.memory_percent": gauge, "db.cpu": gauge },
    });
    expect(decideVerdict(monitored).messages[0]).toMatch(
      /\(no samples; there is server\.cpu, server\.memory_percent\)$/,
    );
    // A threshold with samples but no value has a message of its own.
    const unknown = threshold({ actual: null, samples: 7 });
    expect(decideVerdict(ending({ thresholds: [unknown] })).messages).toEqual([]);
  });

  test("shows the value of a threshold like its table: as a share, with a unit, and distinguishable from its bound", () => {
    const messageOf = (changes: Partial<ThresholdResult>): string =>
      decideVerdict(ending({ thresholds: [threshold(changes)] })).messages.join();
    const failed = { metric: "http_req_failed{page:home}", expression: "rate<1%", unit: null };
    expect(messageOf({ ...failed, actual: 0.0233161 })).toContain("rate<1% (was 2.33 %)");
    expect(messageOf({ ...failed, actual: 0.0100001 })).toContain("(was 1.00001 %)");
    expect(messageOf({ actual: 300.04 })).toContain("p(95)<300ms (was 300.04 ms)");
    const bytes = { metric: "page_bytes", expression: "avg<1k", unit: "bytes" } as const;
    expect(messageOf({ ...bytes, actual: 15_300 })).toContain("(was 15.3 kB)");
  });

  test("says that a run was too short to judge the generator, if that was to be judged strictly", () => {
    const short = ending({ isGeneratorJudged: false });
    expect(decideVerdict(short).messages).toEqual([]);
    expect(decideVerdict({ ...short, isStrictGenerator: true })).toMatchObject({
      exitCode: 0,
      messages: [],
      notes: [expect.stringContaining("too short to judge the load generator")],
    });
  });

  test("ignores a saturated generator unless it is to be judged strictly", () => {
    expect(decideVerdict(ending({ isGeneratorSaturated: true })).exitCode).toBe(0);
  });

  test("of a strict run is passed if the generator was not saturated", () => {
    expect(decideVerdict(ending({ isStrictGenerator: true }))).toEqual({
      verdict: "passed",
      exitCode: 0,
      messages: [],
      notes: [],
    });
  });
});

test("exit codes have one precedence, whatever the order in which they are given", () => {
  const order: ExitCode[] = [1, 107, 109, 105, 108, 112, 99, 111];
  for (const [index, code] of order.entries()) {
    expect(chooseExitCode([...order.slice(index)].reverse())).toBe(code);
  }
  expect(chooseExitCode([])).toBe(0);
  expect(chooseExitCode([0, 99])).toBe(99);
  expect(chooseExitCode([99, 3])).toBe(1);
});

test("a request that never ended although every worker did is a bug, never a green run", () => {
  const [row] = requests(10, 0);
  const lost = [{ ...row!, started: 12, lost: 2 }];
  expect(decideVerdict(ending({}, lost))).toMatchObject({
    exitCode: 1,
    messages: [expect.stringContaining("2 requests were started and never ended")],
  });
  expect(
    decideVerdict(ending({ workers: [{ id: 0, lost: "it ran out of heap", isRunning: false }] }, lost))
      .exitCode,
  ).toBe(109);
  expect(decideVerdict(ending({ interruptedBy: "SIGINT" }, lost)).exitCode).toBe(105);
});
