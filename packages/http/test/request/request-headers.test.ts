import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import {
  defaultsForOtherOrigin,
  headersForRedirect,
  requestHeaders,
  type GivenHeaders,
} from "../../src/request/request-headers.ts";

const write = (given: GivenHeaders, defaults: readonly string[] = [], contentType: string | null = null) =>
  requestHeaders(defaults, given, contentType === null ? null : { contentType, contentEncoding: null });

describe("headers of a request", () => {
  test("are written with names as given, in order, and a list of values as several headers", () => {
    const headers = { "X-CamelCase": "1", "x-many": ["a", "b"], "x-empty": "", "x-none": [] };
    expect(write({ headers })).toEqual(["X-CamelCase", "1", "x-many", "a", "x-many", "b", "x-empty", ""]);
  });

  test("replace defaults of any case; other defaults come last", () => {
    const defaults = [
      "user-agent",
      "bearhug/1",
      "X-Team",
      "a",
      "X-Team",
      "b",
      "authorization",
      "Bearer d",
      "Content-Type",
      "text/x",
    ];
    expect(write({}, defaults)).toEqual(defaults);
    expect(write({ headers: { "User-Agent": "mine", "x-team": "c" } }, defaults)).toEqual([
      "User-Agent",
      "mine",
      "x-team",
      "c",
      "authorization",
      "Bearer d",
      "Content-Type",
      "text/x",
    ]);
    expect(write({ auth: { bearer: "t" } }, defaults, "application/json").slice(0, 4)).toEqual([
      "content-type",
      "application/json",
      "authorization",
      "Bearer t",
    ]);
    expect(write({ auth: { bearer: "t" } }, defaults, "application/json")).not.toContain("Bearer d");
    expect(write({}, defaults, "application/json")).not.toContain("text/x");
  });

  test("take precedence over those of a body and of auth", () => {
    const headers = { "Content-Type": "application/vnd.api+json", Authorization: "own" };
    expect(write({ headers, auth: { bearer: "t" } }, [], "application/json")).toEqual([
      "Content-Type",
      "application/vnd.api+json",
      "Authorization",
      "own",
    ]);
  });

  test("have accept-encoding only if the test gives it", () => {
    expect(write({}, ["user-agent", "x"])).not.toContain("accept-encoding");
    expect(write({ headers: { "accept-encoding": "br" } })).toEqual(["accept-encoding", "br"]);
  });

  test.each([
    { auth: { username: "Aladdin", password: "open sesame" }, value: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" },
    // RFC 7617, section 2.1.
    { auth: { username: "test", password: "123£" }, value: "Basic dGVzdDoxMjPCow==" },
    { auth: { username: "", password: "a:b" }, value: "Basic OmE6Yg==" },
    { auth: { bearer: "t0ken" }, value: "Bearer t0ken" },
  ])("authorize: $value", ({ auth, value }) => {
    expect(write({ auth })).toEqual(["authorization", value]);
  });

  test.each([
    { host: "other.example:81" },
    { connection: "close" },
    { Connection: "Keep-Alive" },
    { te: "trailers" },
    { "content-length": "3" },
    { "x-latin": "gr\u00fcn\t" },
    { "x_odd.!#$%&'*+^`|~-": "1" },
  ])("may be %o", (headers) => {
    expect(write({ headers })).toEqual(Object.entries(headers)[0]);
  });
});

describe("a header that cannot be written", () => {
  const bad: { readonly headers: unknown; readonly says: string }[] = [
    { headers: { "bad name": "hush" }, says: '"bad name" is not a valid header name' },
    { headers: { "": "hush" }, says: '"" is not a valid header name' },
    { headers: { ":path": "hush" }, says: '":path" is not a valid header name' },
    { headers: { "x-ü": "hush" }, says: "is not a valid header name" },
    {
      headers: { "x-evil": "hush\r\nx-injected: b" },
      says: "x-evil contains a line break or another control character",
    },
    {
      headers: { "x-evil": "hush\u007f" },
      says: "x-evil contains a line break or another control character",
    },
    {
      headers: { "x-evil": ["a", "hush\0"] },
      says: "x-evil contains a line break or another control character",
    },
    { headers: { "x-name": "hush \u0141" }, says: "x-name contains a character that headers can't carry" },
    {
      headers: { "x-name": "hush \u{1f43b}" },
      says: "x-name contains a character that headers can't carry",
    },
    { headers: { "x-number": 5 }, says: "x-number must be a string or an array of strings" },
    { headers: { "x-none": undefined }, says: "x-none must be a string" },
    { headers: { "Transfer-Encoding": "chunked" }, says: "a body that is a stream is sent in chunks" },
    { headers: { Upgrade: "websocket" }, says: "changing the protocol (WebSocket) is not supported yet" },
    {
      headers: { connection: "keep-alive, Upgrade" },
      says: "changing the protocol (WebSocket) is not supported yet",
    },
    { headers: { connection: "hush" }, says: "connection: may be close or keep-alive" },
    { headers: { expect: "100-continue" }, says: "expect: bodies are sent at once" },
    { headers: { Host: "a", host: "b" }, says: "host is given more than once" },
    { headers: { "content-type": ["a/b", "c/d"] }, says: "content-type is given more than once" },
  ];
  test.each(bad)("is refused without its value: $says", ({ headers, says }) => {
    const given: GivenHeaders = { headers: headers as NonNullable<GivenHeaders["headers"]> };
    expect(() => write(given)).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringContaining(says) as string,
      }),
    );
    expect(() => write(given)).not.toThrow("hush");
  });

  test("is refused in auth too", () => {
    expect(() => write({ auth: { bearer: "hush\n" } })).toThrow("authorization contains a line break");
    expect(() => write({ auth: { username: "a:b", password: "hush" } })).toThrow("cannot contain a colon");
  });

  test("includes each that could split a request", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (name, value) => {
        let written: string[];
        try {
          written = write({ headers: { [name]: value } });
        } catch {
          return;
        }
        expect(written.join(": ")).not.toMatch(/[\r\n\0]|[^\0-\xff]/);
        expect(written[0]).not.toMatch(/[\s:]/);
      }),
    );
  });
});

describe("headers of a redirected request", () => {
  const headers = {
    Authorization: "a",
    "Proxy-Authorization": "b",
    Cookie: "c",
    Host: "d",
    "Content-Type": "e",
    "x-f": "f",
  };
  test.each([
    { isCrossOrigin: false, keepsBody: true, left: Object.keys(headers) },
    {
      isCrossOrigin: false,
      keepsBody: false,
      left: ["Authorization", "Proxy-Authorization", "Cookie", "Host", "x-f"],
    },
    { isCrossOrigin: true, keepsBody: true, left: ["Content-Type", "x-f"] },
    { isCrossOrigin: true, keepsBody: false, left: ["x-f"] },
  ])("to another origin $isCrossOrigin, with its body $keepsBody, are $left", ({ left, ...hop }) => {
    expect(headersForRedirect(headers, hop).map(([name]) => name)).toEqual(left);
  });

  test("lose the defaults with credentials or a host, and only those", () => {
    const defaults = [
      "user-agent",
      "authorization",
      "Cookie",
      "c",
      "AUTHORIZATION",
      "a",
      "x-f",
      "f",
      "host",
      "h",
    ];
    expect(defaultsForOtherOrigin(defaults)).toEqual(["user-agent", "authorization", "x-f", "f"]);
  });
});
