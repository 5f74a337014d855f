import { expect, test } from "vitest";

import { findThreshold } from "../../src/test-file/threshold-position.ts";

const source = `export default defineTest({
  thresholds: {
    http_req_failed: ["rate<1%"],
    'http_req_duration{page:home}': [
      "p(95)<500ms",
      { threshold: \`p(99)<1s\` },
    ],
    http_req_duration: ["p(95)<500ms"],
  },
});`;

test("a threshold is found after its own key, however it is quoted", () => {
  expect(findThreshold(source, "http_req_failed", "rate<1%")).toEqual({ line: 3, column: 23 });
  expect(findThreshold(source, "http_req_duration{page:home}", "p(99)<1s")).toEqual({ line: 6, column: 20 });
  expect(findThreshold(source, "http_req_duration", "p(95)<500ms")).toEqual({ line: 8, column: 25 });
});

test("a threshold that the test puts together is not found", () => {
  expect(findThreshold(source, "http_req_failed", "rate<2%")).toBeNull();
  expect(findThreshold(source, "checks", "rate<1%")).toBeNull();
});
