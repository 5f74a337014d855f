import { expect, test } from "vitest";
import { BearhugError, RequestFailedError, StopSignal } from "../../src/index.ts";
import type { HttpErrorInfo, Response } from "../../src/index.ts";

function response(status: number, error: HttpErrorInfo | null): Response {
  const none = {
    blocked: 0,
    lookingUp: 0,
    connecting: 0,
    tlsHandshaking: 0,
    sending: 0,
    waiting: 0,
    receiving: 0,
  };
  return {
    status,
    ok: false,
    url: "http://127.0.0.1/",
    redirected: false,
    headers: { get: () => null, getAll: () => [], entries: () => [] },
    cookies: new Map(),
    connection: null,
    timings: { ...none, duration: 0, responseTime: 0 },
    size: { sent: 0, received: 0, body: 0, decoded: null },
    fromCache: false,
    protocol: "",
    error,
    text: () => "",
    json: () => {
      throw new SyntaxError("no body");
    },
    bytes: () => new Uint8Array(),
  };
}

test("the error of a request with an unexpected status names that status", () => {
  const error = new RequestFailedError("GET /cart", response(503, null));
  expect(error).toBeInstanceOf(BearhugError);
  expect(error).toMatchObject({
    code: "REQUEST_FAILED",
    requestName: "GET /cart",
    response: { status: 503 },
  });
  expect(error.message).toBe("GET /cart failed: status 503 was not expected");
});

test("the error of a request without a response says why there is none", () => {
  const info = { code: "CONNECTION_REFUSED", message: "nothing listens there", phase: "connecting" } as const;
  expect(new RequestFailedError("GET /", response(0, info)).message).toBe(
    "GET / failed: nothing listens there",
  );
});

test("the hard stop has a code of its own", () => {
  expect(new StopSignal()).toMatchObject({ code: "STOP_SIGNAL", name: "StopSignal" });
});
