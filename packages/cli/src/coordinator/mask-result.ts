import type { PhaseAccounting, TestResult } from "@bearhug/sdk";

import type { Mask } from "../secret-mask.ts";

/** A result in which every text that a test or its target could have put there is masked; what is ours stays as it is. */
export function maskResult(result: TestResult, mask: Mask): TestResult {
  const orNull = (text: string | null): string | null => (text === null ? null : mask(text));
  const phase = ({ requests }: PhaseAccounting): PhaseAccounting => ({ requests: requests.map(named) });
  const named = <Named extends { readonly name: string }>(one: Named): Named => ({
    ...one,
    name: mask(one.name),
  });
  const { test, plan, generator, accounting } = result;
  return {
    ...result,
    test: { name: mask(test.name), file: test.file, target: orNull(test.target) },
    plan: { ...plan, scenarios: plan.scenarios.map(named) },
    messages: result.messages.map(mask),
    generator: {
      ...generator,
      workers: generator.workers.map((worker) => ({ ...worker, lost: orNull(worker.lost) })),
    },
    accounting: {
      iterations: accounting.iterations,
      ...phase(accounting),
      setup: phase(accounting.setup),
      teardown: phase(accounting.teardown),
      warmup:
        accounting.warmup === null
          ? null
          : { iterations: accounting.warmup.iterations, ...phase(accounting.warmup) },
    },
    thresholds: result.thresholds.map((one) => ({
      ...one,
      metric: mask(one.metric),
      expression: mask(one.expression),
    })),
    checks: result.checks.map((one) => ({
      ...named(one),
      scenario: mask(one.scenario),
      page: orNull(one.page),
    })),
    series: result.series.map((one) => ({ ...one, tags: maskValues(one.tags, mask) })),
    errors: result.errors.map((one) => ({
      ...named(one),
      message: mask(one.message),
      ...(one.origin === undefined ? {} : { origin: mask(one.origin) }),
      ...(typeof one.frame === "string" ? { frame: mask(one.frame) } : {}),
    })),
  };
}

function maskValues(tags: Readonly<Record<string, string>>, mask: Mask): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, mask(value)]));
}
