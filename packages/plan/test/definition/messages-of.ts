import { validateTest } from "../../src/definition/validate-test.ts";

/** Returns the messages of the run-time check about a test. */
export function messagesOf(test: unknown): string[] {
  return validateTest(test).problems.map(({ message }) => message);
}

/** Returns the messages about a test with only this scenario, named `readers`. */
export function scenarioMessagesOf(options: object): string[] {
  return messagesOf({ scenarios: { readers: { exec: () => undefined, ...options } } });
}

/** Returns the messages about an otherwise valid test with these thresholds. */
export function thresholdMessagesOf(thresholds: unknown): string[] {
  return messagesOf({
    metrics: { basket_size: { type: "trend" }, queue_time: { type: "trend", time: true } },
    scenarios: { readers: { executor: "shared-iterations", exec: () => undefined } },
    thresholds,
  });
}
