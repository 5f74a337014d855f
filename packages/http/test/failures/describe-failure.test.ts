import type { HttpErrorInfo, HttpPhase } from "@bearhug/sdk";
import { httpErrorCatalog } from "@bearhug/sdk/internal";
import { createMask } from "@bearhug/text/secret-mask";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { describeFailure } from "../../src/failures/describe-failure.ts";
import { TransportFailure } from "../../src/failures/transport-failure.ts";
import { ConnectFailure } from "../../src/net/connect-failure.ts";
import { failureTable } from "./failure-table.ts";
import { origin, type FailureRow } from "./opening-failures.ts";

const mask = createMask([]);
const plain = { isReused: false, origin, bodyBytes: 0 };

function describeRow({ error, phase, facts }: FailureRow): HttpErrorInfo {
  return describeFailure(error, { ...plain, phase, ...facts }, mask);
}

const phases: readonly HttpPhase[] = [
  ...(["blocked", "lookingUp", "connecting", "tlsHandshaking"] as const),
  ...(["sending", "waiting", "receiving"] as const),
];

/** Expects one line of text, with nothing in it that a terminal or a log would interpret. */
function expectSentence(message: string): void {
  expect(message).toMatch(/^[^\p{Cc}\u2028\u2029\u202a-\u202e]{10,1000}$/u);
  expect(message).not.toMatch(/::[a-z]|##\[/i);
}

describe("a failed request", () => {
  test.each(failureTable)("($what) is $code while $phase", (row) => {
    const info = describeRow(row);
    expect(info.code).toBe(row.code);
    expect(info.phase).toBe(row.phase);
    if (row.cause !== undefined) expect(info.cause).toBe(row.cause);
    expect(info.cause ?? "").not.toContain("BEARHUG");
    expect(info.message).toContain(origin);
    expect(info.message).toContain(row.says ?? "");
    expectSentence(info.message);
  });

  test("covers each code of the catalogue, except those without an error of their own", () => {
    const produced = new Set<string>(failureTable.map(({ code }) => code));
    const missing = Object.keys(httpErrorCatalog).filter((code) => !produced.has(code));
    // These are for good responses with something odd, for those that are refused later, and for the unknown.
    expect(missing).toEqual([
      "BOT_CHALLENGE",
      "UPLOAD_ABORTED",
      "BODY_SHRUNK",
      "ERROR_PAGE",
      "FORM_SHOWN_AGAIN",
      "JSON_ERRORS",
      "ERROR_HEADER",
      "LOCATION_MISSING",
      "BODY_DROPPED",
      "COOKIE_REJECTED",
      "SURPLUS_BYTES",
      "TOO_MANY_REDIRECTS",
      "HOST_NOT_ALLOWED",
      "REQUEST_FAILED",
    ]);
  });

  test("with an unknown cause is REQUEST_FAILED, with the message of the thrown error", () => {
    const info = describeFailure(new Error("the moon was in the way"), { ...plain, phase: "waiting" }, mask);
    expect(info).toMatchObject({ code: "REQUEST_FAILED" });
    expect(info.message).toContain("the moon was in the way");
  });
});

describe("text from a target", () => {
  test("stays data: no control characters, escape sequences or workflow commands", () => {
    const hostile =
      '\u001b[31mred\u001b[0m\r\n::error::boo \u202etxt.exe ##[set-env] \0 "x ::warning file=a::b"';
    for (const kind of ["malformed", "upgraded", "goaway"] as const) {
      const error = new TransportFailure({ kind, reason: hostile });
      expectSentence(describeFailure(error, { ...plain, phase: "waiting" }, mask).message);
    }
    const error = new ConnectFailure({ kind: "proxy", reason: hostile });
    expectSentence(describeFailure(error, { ...plain, phase: "connecting" }, mask).message);
  });

  test("is cut if it is very long", () => {
    const error = new TransportFailure({ kind: "malformed", reason: "x".repeat(100_000) });
    expect(describeFailure(error, { ...plain, phase: "waiting" }, mask).message.length).toBeLessThan(1000);
  });
});

describe("anything that is thrown", () => {
  const thrown = fc.oneof(
    fc.anything(),
    fc.string().map((message) => new Error(message)),
    fc
      .record({ code: fc.anything(), message: fc.anything() })
      .map((facts) => Object.assign(new Error(), facts)),
    fc
      .constantFrom("constructor", "__proto__", "toString", "E", "EAI_", "ERR_SSL_")
      .map((code) => Object.assign(new Error("odd"), { code })),
    fc.array(fc.anything()).map((errors) => new AggregateError(errors)),
    fc.constant(
      Object.defineProperty({}, "message", {
        get: () => {
          throw new Error("no");
        },
      }),
    ),
  );
  const facts = fc.record({
    phase: fc.constantFrom(...phases),
    isReused: fc.boolean(),
    origin: fc.constant(origin),
    bodyBytes: fc.nat(),
    contentType: fc.option(fc.string()),
    msSinceLastByte: fc.option(fc.nat()),
    proxy: fc.option(fc.constant("proxy.example:3128")),
  });

  test("becomes a code of the catalogue and a sentence", () => {
    fc.assert(
      fc.property(thrown, facts, (error, known) => {
        const info = describeFailure(error, known, mask);
        expect(Object.keys(httpErrorCatalog)).toContain(info.code);
        expect(info.phase).toBe(known.phase);
        expectSentence(info.message);
      }),
      { numRuns: 500 },
    );
  });
});
