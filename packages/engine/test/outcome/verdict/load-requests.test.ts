import type { ErrorResult } from "@bearhug/sdk";
import type { RequestAccounting } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import {
  lostRequests,
  mostlyUnknown,
  nothingMeasured,
  nothingSucceeded,
} from "../../../src/outcome/verdict/load-requests.ts";
import { endingOf, failedThreshold, scenarioOf } from "./ending-of.ts";

function requests(counts: Partial<RequestAccounting>): RequestAccounting[] {
  const { succeeded = 0, failed = 0, interrupted = 0, lost = 0 } = counts;
  const started = succeeded + failed + interrupted + lost;
  return [{ name: "GET /", started, sent: started, succeeded, failed, interrupted, lost }];
}

function error(code: string, count: number, origin = "http://127.0.0.1:8080"): ErrorResult {
  return { code, cause: null, message: "", count, firstAtMs: 0, name: "GET /", origin };
}

function messageOf(counts: Partial<RequestAccounting>, changes: Partial<Ending> = {}): string | undefined {
  return nothingSucceeded(endingOf(changes, { requests: requests(counts) }))[0]?.message;
}

describe("a load in which no request succeeded", () => {
  test("fails, whatever the outcome of its requests", () => {
    expect(messageOf({ failed: 7 }, { errors: [error("CONNECTION_REFUSED", 7)] })).toBe(
      "no request succeeded: CONNECTION_REFUSED at 127.0.0.1:8080 (is the server up?)",
    );
    expect(messageOf({ interrupted: 5 })).toBe(
      "no request succeeded: 5 still had no response when the graceful stop ended",
    );
    expect(messageOf({ interrupted: 1 })).toContain("1 still had no response");
    expect(messageOf({ lost: 1 })).toBe("no request succeeded: the outcome of 1 request is unknown");
    expect(messageOf({ lost: 2 })).toBe("no request succeeded: the outcome of 2 requests is unknown");
  });

  test("does not fail with one success, without any request, or if its requests were cut short", () => {
    expect(messageOf({ succeeded: 1, failed: 999 })).toBeUndefined();
    expect(messageOf({})).toBeUndefined();
    for (const changes of [
      { interruptedBy: "SIGINT" },
      { abortReason: "enough" },
      { isTruncated: true, durationMs: 1000 },
    ]) {
      expect(messageOf({ interrupted: 5 }, changes), JSON.stringify(changes)).toBeUndefined();
      expect(messageOf({ interrupted: 5, failed: 1 }, changes), JSON.stringify(changes)).toBeDefined();
    }
    expect(messageOf({ interrupted: 5 }, { isTruncated: true, isLoadOver: true })).toBeDefined();
  });

  test("fails if only redirects succeeded, and they led to failures", () => {
    const visits = scenarioOf({ completed: 5, requests: 11, redirects: 10 });
    const changes = { scenarios: [visits], errors: [error("TOO_MANY_REDIRECTS", 1)] };
    expect(messageOf({ succeeded: 10, failed: 1 }, changes)).toBe(
      "only redirects succeeded: TOO_MANY_REDIRECTS at 127.0.0.1:8080 (the redirects never end)",
    );
    // A test may request only a redirect.
    expect(messageOf({ succeeded: 10 }, changes)).toBeUndefined();
    expect(messageOf({ succeeded: 10, interrupted: 1 }, changes)).toBeUndefined();
    expect(messageOf({ succeeded: 11, failed: 1 }, changes)).toBeUndefined();
  });

  test("names the most frequent failure over all request names, and its share if there are others", () => {
    const errors = [
      error("HTTP_503", 5),
      error("CONNECTION_RESET", 4),
      { ...error("CONNECTION_RESET", 3), name: "GET /other" },
      // Neither of these is a failed request.
      { code: "TEST_THREW", cause: null, message: "", count: 50, firstAtMs: 0, name: "s" },
      error("SURPLUS_BYTES", 60),
    ];
    expect(messageOf({ failed: 12 }, { errors })).toBe(
      "no request succeeded: CONNECTION_RESET at 127.0.0.1:8080, 7 of 12 failures (the server resets connections: check its log)",
    );
    const two = [error("HTTP_418", 2, "https://[::1]:8443"), error("HTTP_418", 1, "https://a.example")];
    expect(messageOf({ failed: 3 }, { errors: two })).toBe(
      "no request succeeded: HTTP_418 at [::1]:8443, 2 of 3 failures",
    );
  });

  test.each(["TLS_CERT_SELF_SIGNED", "TLS_CERT_UNKNOWN_CA"])(
    "names the options that help with %s",
    (code) => {
      const message = messageOf({ failed: 1 }, { errors: [error(code, 1)] });
      expect(message).toContain("--ca");
      expect(message).toContain("--insecure");
    },
  );
});

describe("requests that a worker started and that never ended", () => {
  const bug = (counts: Partial<RequestAccounting>, changes: Partial<Ending> = {}): string[] =>
    lostRequests(endingOf(changes, { requests: requests(counts) })).map(({ message }) => message);

  test("are a bug if nothing else explains them", () => {
    expect(bug({ succeeded: 3, lost: 1 }, { workers: [{ id: 0, lost: null, isRunning: false }] })).toEqual([
      "1 request was started and never ended: this is a bug in bearhug, please report it",
    ]);
    expect(bug({ lost: 2 })[0]).toMatch(/^2 requests were started and never ended/);
  });

  test.each([
    { isTruncated: true, durationMs: 1000 },
    { interruptedBy: "SIGINT" },
    { abortReason: "enough" },
    { workers: [{ id: 0, lost: "out of memory", isRunning: false }] },
  ])("are not a bug with %j", (changes) => {
    expect(bug({ lost: 2 }, changes)).toEqual([]);
  });
});

describe("a load in which the outcome of too many requests is unknown", () => {
  const reasonsFor = (counts: Partial<RequestAccounting>, changes: Partial<Ending> = {}): readonly string[] =>
    mostlyUnknown(endingOf(changes, { requests: requests(counts) })).map(({ code, message }) => {
      expect(code).toBe(99);
      return message;
    });

  test("fails if the requests cut off at the end could make most requests failures", () => {
    const message =
      "11 of 19 requests were still unfinished when the load ended, so it is unknown whether most would succeed: " +
      "raise duration or gracefulStop";
    expect(reasonsFor({ succeeded: 8, interrupted: 11 })).toEqual([message]);
    // 45 % succeeded, 30 % failed: a threshold of 50 % holds.
    expect(reasonsFor({ succeeded: 45, failed: 30, interrupted: 25 })).toHaveLength(1);
    expect(reasonsFor({ succeeded: 3, failed: 3, interrupted: 1 })).toHaveLength(1);
    // Thresholds that held or were not judged, and workers that ended well, do not report this already.
    const thresholds = [true, null].map((passed) => ({ ...failedThreshold, passed }));
    const workers = [{ id: 0, lost: null, isRunning: false }];
    expect(reasonsFor({ succeeded: 8, interrupted: 11 }, { thresholds, workers })).toEqual([message]);
  });

  test("does not fail if half succeeded, if most failed anyway, or if nothing was cut off", () => {
    expect(reasonsFor({ succeeded: 8, interrupted: 8 })).toEqual([]);
    expect(reasonsFor({ succeeded: 50, failed: 30, interrupted: 20 })).toEqual([]);
    // Thresholds judge these.
    expect(reasonsFor({ succeeded: 3, failed: 4, interrupted: 1 })).toEqual([]);
    expect(reasonsFor({ succeeded: 3, failed: 3 })).toEqual([]);
    // Another rule reports this.
    expect(reasonsFor({ interrupted: 5 })).toEqual([]);
    expect(reasonsFor({})).toEqual([]);
  });

  test("does not fail if the load was cut short, or something else already failed", () => {
    for (const changes of [
      { interruptedBy: "SIGINT" },
      { abortReason: "enough" },
      { isTruncated: true, durationMs: 1000 },
      { workers: [{ id: 0, lost: "out of memory", isRunning: false }] },
      { thresholds: [failedThreshold] },
    ])
      expect(reasonsFor({ succeeded: 1, interrupted: 5 }, changes), JSON.stringify(changes)).toEqual([]);
  });
});

test("a warm-up in which nothing was started is not reported as the only load", () => {
  const { iterations } = endingOf().accounting;
  expect(nothingMeasured(endingOf({}, { warmup: { iterations, requests: [] } }))).toEqual([]);
});

test("a load that ends in its warm-up says so if no request of the warm-up succeeded", () => {
  const iterations = { ...endingOf().accounting.iterations, scheduled: 4, started: 4 };
  const messageFor = (counts: Partial<RequestAccounting>): string | undefined =>
    nothingMeasured(endingOf({}, { warmup: { iterations, requests: requests(counts) } }))[0]?.message;
  expect(messageFor({ succeeded: 1, failed: 3 })).toBe(
    "nothing was measured: the load ended during its warm-up",
  );
  expect(messageFor({ failed: 4 })).toBe(
    "nothing was measured: no request of the warm-up succeeded, and none followed",
  );
});
