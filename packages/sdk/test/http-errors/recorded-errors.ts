import type { ErrorExplanation } from "../../src/http-errors/error-explanation.ts";

type RecordedErrorCode =
  | "HTTP_<status>"
  | "TEST_THREW"
  | "UNHANDLED_REJECTION"
  | "UNCAUGHT_EXCEPTION"
  | "PAUSE_NOT_AWAITED"
  | "PAGE_NOT_AWAITED"
  | "TIMER_NOT_FIRED"
  | "CAUGHT_BY_TEST"
  | "(other)";

/** Errors of a result whose HTTP exchange itself was complete. */
export const recordedErrors: Readonly<Record<RecordedErrorCode, ErrorExplanation>> = {
  "HTTP_<status>": {
    summary: "The response has an unexpected status, such as `HTTP_503`.",
    cause:
      "The target fails under load, or it rejects this request. Statuses 200 to 399 are expected unless `expect` says otherwise.",
    remedy: "Check the target's log at that time. If the status is intended, expect it: `expect: 404`.",
    whose: "target",
    processed: "yes",
  },
  TEST_THREW: {
    summary: "The test's own code threw an exception; the iteration failed, and the run continued.",
    cause:
      "A bug in the test, or a response that it did not expect: `json()` on an error page, or `throwOnError`.",
    remedy:
      "Fix the source line shown with the error. To limit such iterations, set a threshold on `iteration_failed`.",
    whose: "test",
    processed: "maybe",
  },
  UNHANDLED_REJECTION: {
    summary:
      "A promise was rejected that the test did not await; the iteration that made it failed, also if it had ended before.",
    cause:
      "An `await` is missing: before `page()` or `group()`, before an async function of the test's own, in `forEach(async …)`, or after `.then(…)`.",
    remedy:
      "Await the promise; `bearhug check` lists each that is not awaited. In place of `forEach(async …)`, write `for (const one of all)` or `await Promise.all(all.map(async …))`. If the iteration is not known, the error is named `(outside an iteration)` and the run fails.",
    whose: "test",
    processed: "maybe",
  },
  UNCAUGHT_EXCEPTION: {
    summary:
      "Code of the test threw where nothing could catch it; the iteration that started that code failed, also if it had ended before.",
    cause: "An exception in a timer, in an event handler or in another callback.",
    remedy:
      "Catch it there, or make the callback a promise that the test awaits. If the iteration is not known, the error is named `(outside an iteration)` and the run fails.",
    whose: "test",
    processed: "maybe",
  },
  PAUSE_NOT_AWAITED: {
    summary: "A `sleep` or `think` was not awaited, so it did not pause anything; the iteration failed.",
    cause: "An `await` is missing. In k6, `sleep` needs none.",
    remedy: "Write `await sleep(…)` or `await think(…)`. `bearhug check` lists each place.",
    whose: "test",
    processed: "no",
  },
  PAGE_NOT_AWAITED: {
    summary:
      "A `page` or `group` was not awaited. The code after it ran at the same time, and the iteration waited for it at the end; it did not fail.",
    cause: "An `await` is missing.",
    remedy:
      "Write `await page(…)` or `await group(…)`. To run several at the same time, write `await Promise.all([…])`.",
    whose: "test",
    processed: "maybe",
  },
  TIMER_NOT_FIRED: {
    summary:
      "A timer of the test had not fired when the run ended, so its code did not run; the iteration that set it did not fail.",
    cause:
      "`setTimeout` with code that makes requests, checks or throws. An iteration does not wait for it, and nor does the end of the run.",
    remedy:
      "Write `await sleep(…)` and the code after it. If it does not matter, call `unref()` on the timer. Pauses and time limits, such as `setTimeout(resolve, 100)`, are not named.",
    whose: "test",
    processed: "no",
  },
  CAUGHT_BY_TEST: {
    summary:
      "bearhug threw an error because of a mistake in the test, and the test caught it; the iteration went on.",
    cause:
      "A host that the test does not name, a misspelt option, variable, column or metric, or a value that a metric cannot hold, inside `try` … `catch` or `.catch(…)`.",
    remedy: "Fix the source line shown with the error. Such an error says nothing about the target.",
    whose: "test",
    processed: "no",
  },
  "(other)": {
    summary: "More than 100 different errors occurred; the rest are counted together.",
    cause: "Names or causes differ from request to request.",
    remedy: "Group requests with `name`.",
    whose: "test",
    processed: "maybe",
  },
};
