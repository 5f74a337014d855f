import type { CheckResult, TestResult, ThresholdResult } from "@bearhug/sdk";
import { capMessage, type PhaseAccounting } from "@bearhug/sdk/internal";

import { maskKey } from "./mask-threshold.ts";
import type { MaskedText } from "../masked-text.ts";

type Hide = (text: string) => MaskedText;

/** A result in which every text that a test or its target could have put there is masked, and no longer than its bound. */
export function maskResult(result: TestResult, mask: Hide): TestResult {
  const orNull = (text: string | null): string | null => (text === null ? null : mask(text));
  const phase = ({ requests }: PhaseAccounting): PhaseAccounting => ({ requests: requests.map(named) });
  const named = <Named extends { readonly name: string }>(one: Named): Named => ({
    ...one,
    name: mask(one.name),
  });
  const shown = (text: string): string => capMessage(mask(text));
  const { test, plan, generator, accounting } = result;
  return {
    ...result,
    test: { name: mask(test.name), file: test.file, target: orNull(test.target) },
    plan: { ...plan, scenarios: plan.scenarios.map(named) },
    messages: result.messages.map(shown),
    notes: result.notes.map(shown),
    generator: {
      ...generator,
      workers: generator.workers.map((worker) => ({
        ...worker,
        lost: worker.lost === null ? null : shown(worker.lost),
      })),
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
    thresholds: result.thresholds.map((one) => maskThreshold(one, mask)),
    checks: result.checks.map((one) => maskCheck(one, mask, shown)),
    series: result.series.map((one) => ({ ...one, tags: maskValues(one.tags, mask) })),
    scenarios: result.scenarios.map(named),
    groups: result.groups.map(named),
    unmeasured: result.unmeasured.map((one) => ({ ...one, host: mask(one.host) })),
    errors: result.errors.map((one) => ({
      ...named(one),
      message: shown(one.message),
      ...(one.origin === undefined ? {} : { origin: mask(one.origin) }),
      ...(typeof one.frame === "string" ? { frame: shown(one.frame) } : {}),
    })),
  };
}

function maskCheck(check: CheckResult, mask: Hide, shown: (text: string) => string): CheckResult {
  const { name, scenario, page, exception } = check;
  return {
    ...check,
    name: mask(name),
    scenario: mask(scenario),
    page: page === null ? null : mask(page),
    exception:
      exception === null
        ? null
        : {
            ...exception,
            message: shown(exception.message),
            frame: exception.frame === null ? null : shown(exception.frame),
          },
  };
}

function maskThreshold(threshold: ThresholdResult, mask: Hide): ThresholdResult {
  return { ...threshold, metric: maskKey(threshold.metric, mask), expression: mask(threshold.expression) };
}

function maskValues(tags: Readonly<Record<string, string>>, mask: Hide): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, mask(value)]));
}
