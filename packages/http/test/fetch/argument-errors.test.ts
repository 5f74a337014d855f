import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Agent, Dispatcher, request } from "undici";

import { startServer, type HttpServer } from "../servers.ts";
import { startClient, type TestClient } from "../start-client.ts";

/** Arguments that undici's own client refuses, and its code for them. */
const refused: readonly (readonly [
  what: string,
  options: Readonly<Record<string, unknown>>,
  code?: string,
])[] = [
  ["a path that is not a string", { path: 1 }],
  ["a method that is not a string", { method: 1 }],
  ["a method with a line break", { method: "GET\r\nx: y" }],
  ["an upgrade that is not a string", { upgrade: 1 }],
  ["a negative headersTimeout", { headersTimeout: -1 }],
  ["a headersTimeout that is not a number", { headersTimeout: "10" }],
  ["a negative bodyTimeout", { bodyTimeout: -1 }],
  ["an infinite bodyTimeout", { bodyTimeout: Number.POSITIVE_INFINITY }],
  ["a reset that is not a boolean", { reset: 0 }],
  ["an expectContinue that is not a boolean", { expectContinue: "yes" }],
  ["throwOnError", { throwOnError: true }],
  ["maxRedirections", { maxRedirections: 3 }],
  ["headers that are a string", { headers: "a: b" }],
  ["a list of headers of odd length", { headers: ["a", "1", "b"] }],
  ["headers whose entries are not pairs", { headers: new Set(["a", "b"]) }],
  ["a header with an object", { headers: { a: {} } }],
  ["a header with an object in a list", { headers: { a: [{}] } }],
  ["a header with a line break", { headers: { a: "1\r\nb: 2" } }],
  ["a header name with a space", { headers: { "a b": "1" } }],
  ["two host headers", { headers: ["host", "a", "host", "b"] }],
  ["a content-length that is not a number", { headers: { "content-length": "x" } }],
  ["two content-lengths", { headers: ["content-length", "1", "content-length", "1"], body: "a" }],
  ["transfer-encoding", { headers: { "transfer-encoding": "chunked" } }],
  ["keep-alive", { headers: { "keep-alive": "timeout=5" } }],
  ["upgrade in a header", { headers: { upgrade: "websocket" } }],
  ["connection with an invalid token", { headers: { connection: "a b" } }],
  ["expect", { headers: { expect: "100-continue" } }, "UND_ERR_NOT_SUPPORTED"],
  ["a body that is a number", { body: 1 }],
  ["a body that is an object", { body: {} }],
  ["a body that is true", { body: true }],
];

async function codeOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

describe("http.dispatcher refuses as undici's client does", () => {
  let server: HttpServer;
  let client: TestClient;
  let dispatcher: Dispatcher;

  beforeEach(async () => {
    server = await startServer((_request, response) => void response.end("ok"));
    client = startClient(server.url);
    const given: unknown = client.http.dispatcher;
    if (!(given instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
    dispatcher = given;
  });

  test("invalid arguments, before anything is sent", async () => {
    const agent = new Agent();
    onTestFinished(() => agent.close());
    for (const [what, options, code = "UND_ERR_INVALID_ARG"] of refused) {
      const codeWith = async (by: Dispatcher): Promise<unknown> =>
        codeOf(async () => request(server.url, { dispatcher: by, method: "POST", ...options }));
      expect.soft(await codeWith(agent), `undici: ${what}`).toBe(code);
      expect.soft(await codeWith(dispatcher), what).toBe(code);
    }
    expect(server.lines).toEqual([]);
    expect(client.vu.isIdle).toBe(true);
  });

  test("no content-length of a request without a body, but leaves it out", async () => {
    for (const method of ["GET", "HEAD", "OPTIONS"] as const) {
      const headers = { "content-length": "10" };
      const { statusCode, body } = await request(server.url, { dispatcher, method, headers });
      await body.dump();
      expect([method, statusCode]).toEqual([method, 200]);
    }
    expect(server.lines).toEqual(["GET /", "HEAD /", "OPTIONS /"]);
  });

  test("a query option if the path has a query", async () => {
    const url = `${server.url}/?a=1`;
    const code = await codeOf(async () => request(url, { dispatcher, query: { b: 2 } }));
    expect([code, server.lines]).toEqual(["UND_ERR_INVALID_ARG", []]);
  });

  test.each(["abc", "/a b", "/a\r\nb", "/\u20ac"])("the path %j of a dispatched request", async (path) => {
    const failed = new Promise<Error>((resolve, reject) => {
      dispatcher.dispatch(
        { origin: server.url, path, method: "GET" },
        {
          onRequestStart: () => {},
          onResponseStart: () => {},
          onResponseData: () => {},
          onResponseEnd: reject,
          onResponseError: (_controller, error) => {
            resolve(error);
          },
        },
      );
    });
    expect(await failed).toMatchObject({ code: "UND_ERR_INVALID_ARG" });
    expect(server.lines).toEqual([]);
  });

  test.each([
    ["no handler", null],
    ["a handler without onResponseError", { onRequestStart: () => {} }],
    [
      "a handler whose onBodySent is a string",
      { onRequestStart: () => {}, onResponseError: () => {}, onBodySent: "" },
    ],
  ])("%s", (_what, handler) => {
    const dispatch = () =>
      dispatcher.dispatch({ origin: server.url, path: "/", method: "GET" }, handler as never);
    expect(dispatch).toThrow(expect.objectContaining({ code: "UND_ERR_INVALID_ARG" }));
  });
});
