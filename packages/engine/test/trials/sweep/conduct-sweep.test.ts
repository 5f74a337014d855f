import { type TestResult, parseResult } from "@bearhug/sdk";
import type { SweepResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { findContradictions } from "../../../src/outcome/contradictions/find-contradictions.ts";
import { conductSweep, type SweepStep } from "../../../src/trials/sweep/conduct-sweep.ts";
import type { SweepPlan, SweepState } from "../../../src/trials/sweep/ladders.ts";
import { mergeLoads, createSweep, resumeSweep } from "../../../src/trials/sweep/resume-sweep.ts";
import type { RunTrial, TrialPlan } from "../../../src/trials/trial.ts";
import {
  counterMetric,
  rateMetric,
  requestsOf,
  resultOf,
  trendMetric,
  trendSeries,
} from "../../../../report/test/result-of.ts";

/** Returns the result of a trial of a server that handles 4 requests at once, in 10 ms each. */
function resultOfTrial({ load, measureMs }: TrialPlan, parts: Partial<TestResult> = {}): TestResult {
  const vus = load.kind === "vus" ? load.vus : load.perSecond / 100;
  const responseMs = Math.max(10, (vus / 4) * 10);
  const count = Math.round((vus * measureMs) / responseMs);
  const values = Array<number>(count).fill(responseMs);
  const times = trendMetric(values);
  const { histogram } = trendSeries("http_req_duration", {}, values);
  const seconds = measureMs / 1000;
  return resultOf({
    durationMs: measureMs,
    metrics: {
      http_reqs: counterMetric(count, seconds),
      http_req_failed: rateMetric(0, count),
      iterations: counterMetric(count, seconds),
      iteration_failed: rateMetric(0, count),
      http_req_duration: times,
      http_req_response_time: times,
      iteration_duration: times,
    },
    accounting: {
      requests: [requestsOf("GET /", { succeeded: count })],
      setup: { requests: [] },
      teardown: { requests: [] },
      warmup: null,
      iterations: {
        scheduled: count,
        started: count,
        completed: count,
        failed: 0,
        interrupted: 0,
        dropped: 0,
        lost: 0,
      },
    },
    intervals: [
      {
        atMs: measureMs,
        widthMs: measureMs,
        vus,
        iterations: count,
        dropped: 0,
        bytes: 0,
        http_reqs: count,
        http_reqs_failed: 0,
        duration: histogram,
        responseTime: histogram,
      },
    ],
    ...parts,
  });
}

const onStep = (): Promise<void> => Promise.resolve();
const neverInterrupted = { isInterrupted: false, signal: null };
const times = { settleMs: 500, measureMs: 1000, seed: 1, conditions: { body: "00000000" } };

interface Site {
  readonly name: string;
  readonly runTrial: RunTrial;
}

function planOf(loads: readonly number[], ...sites: readonly Site[]): SweepPlan {
  const targets = sites.map((site) => ({ ...site, address: null }));
  return { loadUnit: "vus", loads, targets, ...times };
}

/** Returns a target that records its loads in `seen`. */
function site(name: string, seen: string[], of: (plan: TrialPlan) => TestResult = resultOfTrial): Site {
  const runTrial: RunTrial = (plan) => {
    seen.push(`${name} ${plan.load.kind === "vus" ? plan.load.vus : plan.load.perSecond}`);
    return Promise.resolve(of(plan));
  };
  return { name, runTrial };
}

async function sweep(plan: SweepPlan, steps: SweepStep[] = []): Promise<TestResult> {
  const keep = (step: SweepStep): Promise<void> => {
    steps.push(step);
    return Promise.resolve();
  };
  return conductSweep(plan, createSweep(plan), { interruptions: neverInterrupted, onStep: keep });
}

function sweepOf(result: TestResult): SweepResult {
  expect(findContradictions(result)).toEqual([]);
  const read = parseResult(JSON.parse(JSON.stringify(result)));
  expect(read.problems).toEqual([]);
  expect(read.result?.sweep).toEqual(result.sweep);
  if (result.sweep === undefined) throw new Error("no sweep");
  return result.sweep;
}

function resumed(plan: SweepPlan, earlier: TestResult): SweepState {
  const state = resumeSweep(plan, earlier);
  if ("ladders" in state) return state;
  throw new Error(state.join("\n"));
}

const ladder = [1, 2, 4, 8, 16];

describe("a sweep", () => {
  test("measures each target at a load before the next load", async () => {
    const seen: string[] = [];
    await sweep(planOf([1, 2], site("cached", seen), site("uncached", seen)));
    expect(seen).toEqual(["cached 1", "uncached 1", "cached 2", "uncached 2"]);
  });

  test("finds the knee and the scalability of its target, and describes the step with the highest throughput", async () => {
    const result = await sweep(planOf(ladder, site("shop", [])));
    const [target] = sweepOf(result).targets;
    expect(target).toMatchObject({ ending: "complete", knee: { state: "found", load: 4 } });
    expect(target?.scalability?.steps).toBe(5);
    expect(target?.steps.map(({ rate }) => rate)).toEqual([100, 200, 400, 400, 400]);
    expect(result).toMatchObject({
      exitCode: 0,
      sweep: { described: { target: "shop", load: 4, exitCode: 0 } },
    });
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 400 });
  });

  test("prefers to describe a step that passed", async () => {
    const failed = { exitCode: 99, verdict: "failed", messages: ["too slow"] } as const;
    const isSlow = ({ load }: TrialPlan): boolean => load.kind === "vus" && load.vus !== 2;
    const plan = planOf(
      ladder,
      site("shop", [], (one) => resultOfTrial(one, isSlow(one) ? failed : {})),
    );
    expect(await sweep(plan)).toMatchObject({ exitCode: 0, messages: [], sweep: { described: { load: 2 } } });
    const never = await sweep(
      planOf(
        ladder,
        site("shop", [], (one) => resultOfTrial(one, failed)),
      ),
    );
    expect(never).toMatchObject({ exitCode: 99, messages: ["too slow"], sweep: { described: { load: 4 } } });
  });

  test("goes on with the other targets after one gave out", async () => {
    const seen: string[] = [];
    const dead = (plan: TrialPlan): TestResult =>
      resultOf({
        durationMs: plan.measureMs,
        exitCode: 99,
        verdict: "failed",
        messages: ["nothing succeeded"],
      });
    const result = await sweep(planOf([1, 2], site("dead", seen, dead), site("alive", seen)));
    expect(seen).toEqual(["dead 1", "alive 1", "alive 2"]);
    expect(sweepOf(result).targets.map(({ ending }) => ending)).toEqual(["failures", "complete"]);
    // A target that served no load at all yields no finding, so the sweep fails.
    expect(result).toMatchObject({
      exitCode: 99,
      verdict: "failed",
      messages: ["dead: no request succeeded at any load"],
    });
  });

  test("passes if its target gave out at a load and recovered, and notes that load", async () => {
    const nothing = { durationMs: 1000, exitCode: 99, verdict: "failed", messages: ["none"] } as const;
    const plan = planOf(
      ladder,
      site("shop", [], (one) =>
        one.load.kind === "vus" && one.load.vus > 2 ? resultOf(nothing) : resultOfTrial(one),
      ),
    );
    const result = await sweep(plan);
    expect(result).toMatchObject({
      exitCode: 0,
      sweep: { targets: [{ ending: "failures" }] },
      notes: ["nearly nothing succeeded at 4 VUs; afterwards, it served 1 VU again"],
    });
    expect(sweepOf(result).targets[0]?.retried).toMatchObject({ load: { vus: 1 }, count: 100 });
    const again = await conductSweep(plan, resumed(plan, result), {
      interruptions: neverInterrupted,
      onStep,
    });
    expect(again.notes).toEqual(result.notes);
  });

  test("fails if its target gave out for good, and says so", async () => {
    const refused = { durationMs: 1000, exitCode: 99, verdict: "failed", messages: ["none"] } as const;
    let isDown = false;
    const plan = planOf(
      [1, 2, 4],
      site("shop", [], (one) => {
        isDown ||= one.load.kind === "vus" && one.load.vus > 2;
        return isDown ? resultOf(refused) : resultOfTrial(one);
      }),
      site("other", []),
    );
    const result = await sweep(plan);
    expect(result).toMatchObject({
      exitCode: 99,
      verdict: "failed",
      notes: [],
      messages: [
        "shop: the target went down: nearly nothing succeeded at 4 VUs, nor at 1 VU, which it had served before",
      ],
    });
    expect(sweepOf(result).targets.map(({ retried }) => retried?.count)).toEqual([0, undefined]);
  });

  test("tries again also after a step of which only a part failed: its target may have gone down in it", async () => {
    const partly = (one: TrialPlan, failed: number): TestResult =>
      resultOfTrial(one, {
        metrics: {
          ...resultOfTrial(one).metrics,
          http_req_failed: rateMetric(failed, 400 - failed),
          iteration_failed: rateMetric(failed, 400 - failed),
        },
        exitCode: 99,
        verdict: "failed",
        messages: ["too many failed"],
      });
    const sweptUntil = async (isDownAfterwards: boolean): Promise<TestResult> => {
      let isAfterwards = false;
      const plan = planOf(
        [1, 2, 4],
        site("shop", [], (one) => {
          if (isAfterwards && isDownAfterwards)
            return resultOf({ durationMs: 1000, exitCode: 99, verdict: "failed", messages: ["none"] });
          isAfterwards = one.load.kind === "vus" && one.load.vus > 2;
          return isAfterwards ? partly(one, 200) : resultOfTrial(one);
        }),
      );
      return sweep(plan);
    };
    const down = await sweptUntil(true);
    expect(down).toMatchObject({
      exitCode: 99,
      messages: [
        "the target went down: after 4 VUs, nearly nothing succeeded at 1 VU, which it had served before",
      ],
    });
    const limited = await sweptUntil(false);
    expect(limited).toMatchObject({ exitCode: 0, messages: [], notes: [] });
    expect(sweepOf(limited).targets).toMatchObject([{ ending: "failures", retried: { load: { vus: 1 } } }]);
  });

  test.each([
    {
      what: "its load was not reached",
      message: "the planned load was not reached",
      seen: ["shop 1", "shop 2", "shop 1"],
    },
    {
      what: "a threshold failed",
      message: "threshold failed: http_req_duration: p(95)<1ms (10)",
      seen: ["shop 1", "shop 2"],
    },
  ])(
    "after a last step of which hardly a request failed, but $what, has loads $seen",
    async ({ message, seen }) => {
      const loads: string[] = [];
      const failed = { exitCode: 99, verdict: "failed", messages: [message] } as const;
      const plan = planOf(
        [1, 2],
        site("shop", loads, (one) =>
          resultOfTrial(one, one.load.kind === "vus" && one.load.vus > 1 ? failed : {}),
        ),
      );
      await sweep(plan);
      expect(loads).toEqual(seen);
    },
  );

  test("ends once the generator is saturated", async () => {
    const generator = { verdict: "saturated", reasons: ["busy"], workers: [], process: null } as const;
    const plan = planOf(
      ladder,
      site("shop", [], (one) =>
        resultOfTrial(one, one.load.kind === "vus" && one.load.vus > 2 ? { generator } : {}),
      ),
    );
    const [target] = sweepOf(await sweep(plan)).targets;
    expect(target).toMatchObject({ ending: "generator" });
    expect(target?.steps).toHaveLength(3);
  });

  test("reports a run that could not be carried out, with its load", async () => {
    const lost = { exitCode: 109, verdict: "errored", messages: ["worker 0 was lost"] } as const;
    const plan = planOf(
      [1, 2, 4],
      site("shop", [], (one) => resultOfTrial(one, one.load.kind === "vus" && one.load.vus > 1 ? lost : {})),
    );
    const result = await sweep(plan);
    expect(result).toMatchObject({
      exitCode: 109,
      verdict: "errored",
      messages: ["at 2 VUs: worker 0 was lost"],
    });
    expect(result.sweep?.targets[0]).toMatchObject({ ending: "error", steps: [{ count: 100 }] });
  });

  test("reports a retry that could not be carried out: it is unknown if the target went down", async () => {
    const lost = { exitCode: 109, verdict: "errored", messages: ["worker 0 was lost"] } as const;
    let hasGivenOut = false;
    const plan = planOf(
      [1, 2, 4],
      site("shop", [], (one) => {
        if (hasGivenOut) return resultOfTrial(one, lost);
        hasGivenOut = one.load.kind === "vus" && one.load.vus > 2;
        return hasGivenOut
          ? resultOf({ durationMs: 1000, exitCode: 99, verdict: "failed" })
          : resultOfTrial(one);
      }),
    );
    expect(await sweep(plan)).toMatchObject({
      exitCode: 109,
      verdict: "errored",
      messages: ["at 1 VU: worker 0 was lost"],
    });
  });

  test("leaves a document of its progress after each step", async () => {
    const steps: SweepStep[] = [];
    await sweep(planOf([1, 2], site("shop", [])), steps);
    expect(steps.map(({ load }) => load)).toEqual([1, 2]);
    expect(sweepOf(steps[0]?.document ?? resultOf({})).targets[0]?.ending).toBe("unfinished");
    expect(steps[0]?.document).toMatchObject({
      exitCode: 105,
      messages: ["the sweep had not ended when this was written: 1 of 2 steps were measured"],
    });
  });
});

describe("a sweep that was interrupted", () => {
  const interrupted = { exitCode: 105, verdict: "interrupted", messages: ["SIGINT: ended early"] } as const;

  async function interruptedAt(vus: number, plan = planOf(ladder, site("shop", []))): Promise<TestResult> {
    let isInterrupted = false;
    const targets = plan.targets.map((target) => ({
      ...target,
      runTrial: async (trial: TrialPlan): Promise<TestResult> => {
        isInterrupted ||= trial.load.kind === "vus" && trial.load.vus === vus;
        return isInterrupted ? resultOfTrial(trial, interrupted) : target.runTrial(trial);
      },
    }));
    const interruptions = {
      get isInterrupted() {
        return isInterrupted;
      },
      signal: "SIGINT",
    };
    return conductSweep({ ...plan, targets }, createSweep(plan), { interruptions, onStep });
  }

  test("leaves a document of the steps that were measured", async () => {
    const result = await interruptedAt(4);
    expect(sweepOf(result).targets[0]).toMatchObject({
      ending: "interrupted",
      steps: [{ rate: 100 }, { rate: 200 }],
    });
    expect(result).toMatchObject({
      exitCode: 105,
      verdict: "interrupted",
      sweep: { described: { load: 2, exitCode: 0 } },
      messages: ["SIGINT: the sweep ended early: 2 of 5 steps were measured"],
    });
  });

  test("within its first step has no figures", async () => {
    const result = await interruptedAt(1);
    expect(sweepOf(result).targets[0]?.steps).toEqual([]);
    expect(result).toMatchObject({ exitCode: 105, sweep: { described: null } });
  });

  test("can be resumed, and then ends like one that was not interrupted", async () => {
    const seen: string[] = [];
    const plan = planOf(ladder, site("shop", seen));
    const earlier = resumed(plan, await interruptedAt(4));
    const onBegin = ({ number }: { readonly number: number }) => seen.push(`step ${number}`);
    const whole = await conductSweep(plan, earlier, { interruptions: neverInterrupted, onBegin, onStep });
    expect(seen).toEqual(["step 3", "shop 4", "step 4", "shop 8", "step 5", "shop 16"]);
    expect(whole).toEqual(await sweep(plan));
  });
});

describe("an earlier sweep", () => {
  test("can be resumed with further loads", async () => {
    const first = await sweep(planOf([2, 8], site("shop", [])));
    const seen: string[] = [];
    const plan = planOf([1, 4, 8], site("shop", seen));
    const earlier = resumed(plan, first);
    const loads = mergeLoads(plan.loads, earlier);
    expect(loads).toEqual([1, 2, 4, 8]);
    const result = await conductSweep({ ...plan, loads }, earlier, {
      interruptions: neverInterrupted,
      onStep,
    });
    expect(seen).toEqual(["shop 1", "shop 4"]);
    expect(sweepOf(result).targets[0]?.steps.map(({ rate }) => rate)).toEqual([100, 200, 400, 400]);
  });

  test("cannot be resumed if its steps are not comparable: each reason is given", async () => {
    const first = await sweep(planOf([2, 8], site("shop", [])));
    const plan = {
      ...planOf([4], site("front page", [])),
      loadUnit: "rate",
      settleMs: 1000,
      measureMs: 30_000,
    } as const;
    expect(resumeSweep(plan, first)).toEqual([
      "its loads are VUs, and those of this sweep rates.",
      "it was measured with --settle 500ms. Use the same to resume it.",
      "it was measured with --measure 1s. Use the same to resume it.",
      "it measured shop, and this sweep front page.",
    ]);
    expect(resumeSweep(plan, resultOf({}))).toEqual(["it is the result of a run, not of a sweep."]);
  });

  test("cannot be resumed if its requests differ: the differences are named", async () => {
    const plan = { ...planOf([2], site("shop", [])), conditions: { method: "1", headers: "2", body: "3" } };
    const first = await sweep(plan);
    const other = (conditions: SweepPlan["conditions"]): unknown =>
      resumeSweep({ ...plan, conditions }, first);
    expect(other({ method: "1", headers: "2", body: "4" })).toEqual([
      "it was measured with a different body. Use the same to resume it.",
    ]);
    expect(other({ method: "9", headers: "9", body: "3" })).toEqual([
      "it was measured with different method and headers. Use the same to resume it.",
    ]);
    expect(other(plan.conditions)).toHaveProperty("ladders");
  });

  test("is resumed by measuring a step again in which the generator was saturated", async () => {
    const generator = { verdict: "saturated", reasons: ["busy"], workers: [], process: null } as const;
    const first = await sweep(
      planOf(
        [1, 2, 4],
        site("shop", [], (one) =>
          resultOfTrial(one, one.load.kind === "vus" && one.load.vus > 1 ? { generator } : {}),
        ),
      ),
    );
    const seen: string[] = [];
    const plan = planOf([1, 2, 4], site("shop", seen));
    const earlier = resumed(plan, first);
    await conductSweep(plan, earlier, { interruptions: neverInterrupted, onStep });
    expect(seen).toEqual(["shop 2", "shop 4"]);
  });
});
