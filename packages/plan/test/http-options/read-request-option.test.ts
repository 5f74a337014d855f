import { expect, test } from "vitest";

import { readRequestOption, requestHttpOptionNames } from "../../src/http-options/read-request-option.ts";

test("a request may set these options of http", () => {
  expect(requestHttpOptionNames).toEqual([
    "timeout",
    "discardBodies",
    "maxBodySize",
    "auth",
    "redirects",
    "expect",
    "throwOnError",
    "retryOnStaleConnection",
  ]);
});

test("a value is read as http reads it, the first time and later", () => {
  const readings = ["5s", "5s", { connect: 1 }, { connect: 2 }].map((timeout) =>
    readRequestOption("timeout", timeout),
  );
  expect(readings).toEqual([
    { value: { wholeMs: 5000 } },
    { value: { wholeMs: 5000 } },
    { value: { connectMs: 1 } },
    { value: { connectMs: 2 } },
  ]);
});

test("1 is not mistaken for true, nor a string for its number", () => {
  expect(readRequestOption("redirects", 1)).toEqual({ value: 1 });
  expect(readRequestOption("redirects", true)).toHaveProperty("problem");
  expect(readRequestOption("redirects", "1")).toHaveProperty("problem");
});

test("all values are read, even if they are more than the cache holds", () => {
  for (let redirects = 0; redirects < 300; redirects++) {
    expect(readRequestOption("redirects", redirects)).toEqual({ value: redirects });
  }
});

test("an object that was changed is read again", () => {
  const auth: { bearer: unknown } = { bearer: "token" };
  expect(readRequestOption("auth", auth)).toEqual({ value: { bearer: "token" } });
  auth.bearer = undefined;
  expect(readRequestOption("auth", auth)).toEqual({ problem: "auth.bearer must be a string." });
});
