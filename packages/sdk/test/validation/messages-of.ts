import { validateTest } from "../../src/definition/validate-test.ts";

/** The sentences that the run-time check says about a test. */
export function messagesOf(test: unknown): string[] {
  return validateTest(test).problems.map(({ message }) => message);
}

/** The same for a test with only this scenario, named `readers`. */
export function scenarioMessagesOf(options: object): string[] {
  return messagesOf({ scenarios: { readers: { exec: () => undefined, ...options } } });
}

/** The same for a valid test with these thresholds. */
export function thresholdMessagesOf(thresholds: unknown): string[] {
  return messagesOf({
    metrics: { basket_size: { type: "trend" }, queue_time: { type: "trend", time: true } },
    scenarios: { readers: { executor: "shared-iterations", exec: () => undefined } },
    thresholds,
  });
}
