import { expect, test } from "vitest";

import { decideVerdict } from "../../../src/outcome/verdict/decide-verdict.ts";
import { failedStageRequests } from "../../../src/outcome/verdict/failed-stages.ts";
import { usedUpFeeds } from "../../../src/outcome/verdict/load-iterations.ts";
import { endingOf, scenarioOf } from "./ending-of.ts";

const none = { sent: 1, interrupted: 0, lost: 0 };
const login = { ...none, name: "POST /login", started: 2, succeeded: 1, failed: 1 };
const fine = { ...none, name: "GET /", started: 3, succeeded: 3, failed: 0 };

test("requests of setup and teardown that failed are noted if the stage went on", () => {
  const setup = { requests: [login, fine] };
  const teardown = { requests: [{ ...login, name: "DELETE /", started: 1, succeeded: 0 }] };
  expect(failedStageRequests(endingOf({}, { setup, teardown }))).toEqual([
    { code: 0, message: "1 of 5 requests of setup failed: POST /login" },
    { code: 0, message: "1 of 1 request of teardown failed: DELETE /" },
  ]);
  const thrown = { message: "Error: no", position: null };
  const failures = [{ stage: "setup", thrown }] as never;
  expect(failedStageRequests(endingOf({ failures }, { setup }))).toEqual([]);
  expect(failedStageRequests(endingOf({}, { setup: { requests: [fine] } }))).toEqual([]);
});

test("a scenario that ended early because of its feed is noted, and one that ended by itself is not", () => {
  const feedEnds = new Map([["visits", { feed: "users", rows: 3, iterations: 3 }]]);
  const scenarios = [scenarioOf({ completed: 2, failed: 1 }), scenarioOf({ name: "other", completed: 3 })];
  expect(usedUpFeeds(endingOf({ feedEnds, scenarios }))).toEqual([
    {
      code: 0,
      message:
        'scenario visits ended after 3 iterations, because feed users has atEnd: "stop" and its 3 rows were used up',
    },
  ]);
  const some = { feedEnds, scenarios: [scenarioOf({ completed: 2 })] };
  expect(usedUpFeeds(endingOf(some))).toEqual([]);
  // Others ran in the warm-up, or were interrupted.
  expect(usedUpFeeds(endingOf({ ...some, begun: [3] }))).toHaveLength(1);
  expect(usedUpFeeds(endingOf({ ...some, begun: [2] }))).toEqual([]);
});

test("each kind of oddity has one note: all of it, and the name that has most", () => {
  const error = { code: "ERROR_PAGE", cause: null, firstAtMs: 0 };
  const errors = [
    { ...error, name: "GET /cart", count: 1, message: "cart" },
    { ...error, name: "GET /menu", count: 5, message: "menu" },
    { ...error, code: "UPLOAD_ABORTED", name: "POST /", count: 1, message: "upload" },
  ];
  const { exitCode, notes } = decideVerdict(endingOf({ errors }));
  expect(exitCode).toBe(0);
  expect(notes).toEqual([
    "1 request succeeded before the body was sent (POST /): the target did not receive all of it",
    "6 requests ended at an error page with status 200 (most often GET /menu): menu",
  ]);
});

test.each([
  [
    "ERROR_HEADER",
    "2 responses of status 200 reported a failure in a header (GET /; if it is meant so, set expect): why",
  ],
  ["LOCATION_MISSING", "2 redirects led nowhere (GET /; if it is meant so, set expect): why"],
  [
    "JSON_ERRORS",
    "2 responses with a status of success reported errors in JSON (GET /; if it is meant so, set expect): why",
  ],
  [
    "FORM_SHOWN_AGAIN",
    "2 forms with a password came back with a status of success (GET /; if it is meant so, set expect): why",
  ],
])("the note of %s", (code, sentence) => {
  const errors = [{ code, cause: null, firstAtMs: 0, name: "GET /", count: 2, message: "why" }];
  expect(decideVerdict(endingOf({ errors })).notes).toEqual([sentence]);
  const setup = { requests: [], oddities: [{ code, name: "GET /", count: 2, message: "why" }] };
  const noun = /^\d+ \w+/.exec(sentence)?.[0] ?? "";
  expect(decideVerdict(endingOf({}, { setup })).notes).toEqual([sentence.replace(noun, `${noun} of setup`)]);
});
