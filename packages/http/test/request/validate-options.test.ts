import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { addressOf } from "../../src/request/address.ts";
import { readBatch, readOptions } from "../../src/request/validate-options.ts";
import { methodOf } from "../../src/request/endpoint-cache.ts";
import { RequestFault } from "../../src/request/request-fault.ts";

function faultOf(validate: () => unknown): RequestFault {
  try {
    validate();
  } catch (error) {
    if (error instanceof RequestFault) return error;
    throw error;
  }
  throw new TypeError("nothing was found wrong");
}

describe("options of a request", () => {
  test.for<unknown>([
    {},
    { json: { a: 1 }, params: { a: 1, b: "2", c: [true, undefined], d: undefined } },
    { form: { a: [] }, headers: { "x-a": "1", "x-b": ["2", "3"], "x-c": [] } },
    { multipart: { a: 1, b: { file: "x" } }, auth: { bearer: "b" } },
    { headers: new Headers({ a: "1" }), params: new URLSearchParams("a=1&a=2"), form: new FormData() },
    { headers: [["a", "1"]], params: new Map([["a", 1]]), multipart: new FormData() },
    { body: null, auth: { username: "ann", password: "" } },
    { auth: "none" },
    { auth: { type: "digest", username: "ann", password: "" } },
    { auth: { type: "aws-sigv4", region: "r", service: "s", accessKeyId: "a", secretAccessKey: "k" } },
    { timeout: 5 },
    { timeout: { connect: "1s", firstByte: undefined, whole: 5 }, redirects: 0 },
    { signal: new AbortController().signal, discardBodies: false, maxBodySize: 5 },
    { name: "n", tags: { a: "b" }, throwOnError: true, retryOnStaleConnection: true, rawPath: true },
    { expect: 404 },
    { expect: { min: 200, max: 200 } },
    { expect: [{ min: 200, max: 299 }, 404] },
    { timeout: undefined, expect: undefined, headers: undefined, nothing: undefined },
    Object.assign(Object.create(null) as object, { redirects: 3 }),
  ])("may be %o", (options) => {
    expect(() => {
      readOptions(options, defaultHttp);
    }).not.toThrow();
  });

  test.for<[unknown, string]>([
    [null, "The options of a request must be an object such as { json: … }, but are null."],
    [
      "hush",
      "The options of a request must be an object such as { json: … }, but are a string: give a body as { body }.",
    ],
    [[], "The options of a request must be an object such as { json: … }, but are an array."],
    [new Map(), "The options of a request must be an object such as { json: … }, but are a Map."],
    [{ josn: 1 }, '"josn" is not an option of a request: did you mean json?'],
    [
      { retries: 3 },
      '"retries" is not an option of a request: it takes json, form, multipart, body, params, headers, cookies, jar, name, tags, signal, compress, rawPath, timeout, discardBodies, maxBodySize, auth, redirects, expect, throwOnError, retryOnStaleConnection.',
    ],
    [{ method: "POST" }, "method is an option only in a batch; here it is an argument before the options."],
    [{ redirects: -1 }, "redirects must be 0 or more, but is -1."],
    [{ redirects: Number.NaN }, "redirects must be a number, but is NaN."],
    [{ redirects: "3" }, 'redirects must be a number, but is "3".'],
    [{ responseType: "none" }, '"responseType" is not an option of a request: did you mean discardBodies?'],
    [{ name: 5 }, "name must be a non-empty string, but is 5."],
    [{ name: "" }, "name must be a non-empty string, but is an empty string."],
    [{ throwOnError: "yes" }, 'throwOnError must be true or false, but is "yes".'],
    [{ rawPath: "/x" }, "rawPath must be true or false, but is a string."],
    [{ discardBodies: 1 }, "discardBodies must be true or false, but is 1."],
    [{ maxBodySize: 1.5 }, "maxBodySize must be a whole number, but is 1.5."],
    [{ retryOnStaleConnection: null }, "retryOnStaleConnection must be true or false, but is null."],
    [
      { signal: {} },
      "signal must be an AbortSignal, but is an object: pass the signal of an AbortController.",
    ],
    [
      { signal: new AbortController() },
      "signal must be an AbortSignal, but is an AbortController: pass the signal of an AbortController.",
    ],
  ])("%o: %s", ([options, sentence]) => {
    const { code, message } = faultOf(() => {
      readOptions(options, defaultHttp);
    });
    expect([code, message]).toEqual(["INVALID_REQUEST", sentence]);
  });

  test.for<[unknown, string]>([
    [null, 'timeout must be a time such as "30s", or a number of milliseconds, but is null.'],
    [0, "timeout must be longer than 0, but is 0."],
    ["5 s", 'timeout: Duration "5 s": did you mean "5s"?'],
    [{ connect: "0s" }, 'timeout.connect must be longer than 0, but is "0s".'],
    [{ conect: "1s" }, 'timeout.conect is not an option of timeout: did you mean "connect"?'],
    [
      { whole: true },
      'timeout.whole must be a time such as "30s", or a number of milliseconds, but is true.',
    ],
  ])("timeout %o: %s", ([timeout, sentence]) => {
    expect(
      faultOf(() => {
        readOptions({ timeout }, defaultHttp);
      }).message,
    ).toBe(sentence);
  });

  const statuses = "expect must be a status such as 200, { min, max } or an array of these";
  test.for<[unknown, string]>([
    [null, `${statuses}, but is null.`],
    ["200", `${statuses}, but is "200".`],
    [Number.NaN, `${statuses}, but is NaN.`],
    [[200, "404"], `${statuses.replace("expect", "expect[1]")}, but is "404".`],
    [20, "expect must be 100 or more, but is 20."],
    [{ min: 200 }, "expect.max must be a number, but is missing."],
    [{ min: 299, max: 200 }, "expect.min must not be above max (200), but is 299."],
    [[], "expect must not be empty."],
  ])("expect %o: %s", ([value, sentence]) => {
    expect(
      faultOf(() => {
        readOptions({ expect: value }, defaultHttp);
      }).message,
    ).toBe(sentence);
  });
});

describe("names and values of a request", () => {
  test.for<[unknown, string]>([
    [
      { headers: new Set(["hush"]) },
      "headers must be names and values, but is a Set of other things: give { name: value }.",
    ],
    [
      { headers: "a: hush" },
      "headers must be an object of names and values, but is a string: give { name: value }.",
    ],
    [
      { headers: ["a", "hush"] },
      "headers must be names and values, but is an array of other things: give { name: value }.",
    ],
    [
      { headers: { "content-length": 5 } },
      'headers: "content-length" must be a string or an array of strings, but is 5: give String(value).',
    ],
    [
      { headers: { a: null } },
      'headers: "a" must be a string or an array of strings, but is null: leave it out if it has no value.',
    ],
    [
      { headers: { a: ["b", undefined] } },
      'headers: "a" must be a string or an array of strings, but is undefined: leave it out if it has no value.',
    ],
    [
      { params: "a=1" },
      "params must be an object of names and values, but is a string: give { name: value }; write a query string in the URL.",
    ],
    [
      { params: { a: { b: 1 } } },
      'params: "a" must be a string, a number, a boolean, or an array of these, but is an object.',
    ],
    [
      { form: { a: [null] } },
      'form: "a" must be a string, a number, a boolean, or an array of these, but is null: undefined leaves it out.',
    ],
    [
      { form: { a: 1n } },
      'form: "a" must be a string, a number, a boolean, or an array of these, but is a bigint: give String(value).',
    ],
    [
      { form: "a=1" },
      "form must be an object of names and values, but is a string: give { name: value }; for a form as a string, use body and set content-type in headers.",
    ],
    [
      { form: [["a", new File(["x"], "hush.txt")]] },
      'form: "a" must be a string, a number, a boolean, or an array of these, but is a File: send files with multipart.',
    ],
    [
      { multipart: new URL("https://hush.example") },
      "multipart must be an object of names and values, but is a URL: give { name: value }.",
    ],
    [{ tags: { a: 1 } }, 'tags: "a" must be a string, but is 1: give String(value).'],
    [{ tags: [] }, "tags must be an object of names and values, but is an array: give { name: value }."],
    [
      { auth: "hush" },
      'auth must be { bearer }, { username, password }, { type: "digest", … } or { type: "aws-sigv4", … }. "none" sends no credentials.',
    ],
    [
      { auth: { type: "ntlm" } },
      'auth must be { bearer }, { username, password }, { type: "digest", … } or { type: "aws-sigv4", … }.',
    ],
    [
      { auth: { bearer: "x", type: "digest" } },
      "auth.username must be a string. auth.password must be a string. auth.bearer is not an option of auth: it takes type, username, password.",
    ],
    [
      { auth: { type: "aws-sigv4", region: "r" } },
      "auth.service must be a string. auth.accessKeyId must be a string. auth.secretAccessKey must be a string.",
    ],
    [{ auth: {} }, "auth.username must be a string. auth.password must be a string."],
    [{ auth: { bearer: undefined } }, "auth.bearer must be a string."],
    [{ auth: { username: "ann" } }, "auth.password must be a string."],
    [
      { auth: { bearer: "hush", username: "ann" } },
      "auth.username is not an option of auth: it takes bearer.",
    ],
    [
      { auth: { user: "ann" } },
      "auth.username must be a string. auth.password must be a string. auth.user is not an option of auth: it takes type, username, password.",
    ],
  ])("%o: %s", ([options, sentence]) => {
    const { code, message } = faultOf(() => {
      readOptions(options, defaultHttp);
    });
    expect([code, message]).toEqual(["INVALID_REQUEST", sentence]);
  });
});

describe("the options of http that hold for a request", () => {
  test("are the same object as its scenario's if it gives none", () => {
    expect(readOptions({ name: "n", tags: { a: "b" }, timeout: undefined }, defaultHttp)).toBe(defaultHttp);
  });

  test("are its own if it gives some, each read like that of http", () => {
    const http = { ...defaultHttp, auth: { username: "ann", password: "p" }, maxBodySize: 9 };
    expect(readOptions({ expect: [404, { min: 200, max: 299 }], auth: "none", redirects: 2 }, http)).toEqual({
      ...http,
      expect: [
        { min: 404, max: 404 },
        { min: 200, max: 299 },
      ],
      auth: null,
      redirects: 2,
    });
    expect(readOptions({ timeout: { connect: "1s" } }, http).timeout).toEqual({
      ...defaultHttp.timeout,
      connectMs: 1000,
    });
  });

  test("are read separately for each request of a batch", () => {
    const [first, second] = readBatch(["/a", { url: "/b", discardBodies: true }], defaultHttp);
    expect(first).toBe(defaultHttp);
    expect(second).toEqual({ ...defaultHttp, discardBodies: true });
  });
});

describe("a batch", () => {
  test("is a list of addresses and requests with a url", () => {
    const requests = ["/a", { url: "/b" }, { url: new URL("http://127.0.0.1/"), method: "POST", json: 1 }];
    expect(() => {
      readBatch(requests, defaultHttp);
    }).not.toThrow();
  });

  const shape = 'batch takes URLs, or requests such as { method: "POST", url: "/orders" }';
  test.for<[unknown, string]>([
    [{ a: "/a" }, "batch takes an array of requests, but got an object."],
    [["/a", null], `${shape}, but got null.`],
    [["/a", { foo: 1 }], `${shape}, but got one without url.`],
    [[{ url: "/a", josn: 1 }], '"josn" is not an option of a request: did you mean json?'],
  ])("%o: %s", ([requests, sentence]) => {
    const { code, message } = faultOf(() => {
      readBatch(requests, defaultHttp);
    });
    expect([code, message]).toEqual(["INVALID_REQUEST", sentence]);
  });
});

describe("the address of a request", () => {
  test("is a string, or a URL", () => {
    expect(addressOf("/a")).toBe("/a");
    expect(addressOf(new URL("http://127.0.0.1/a"))).toBe("http://127.0.0.1/a");
  });

  test.for<[unknown, string]>([
    [undefined, "A URL must be a string or a URL object, but is undefined."],
    [5, "A URL must be a string or a URL object, but is 5."],
    [{ href: 5 }, "A URL must be a string or a URL object, but is an object."],
  ])("is not %o", ([url, sentence]) => {
    const { code, message } = faultOf(() => addressOf(url));
    expect([code, message]).toEqual(["INVALID_URL", sentence]);
  });

  test("has a method that is a string, sent in upper case", () => {
    expect(methodOf("propfind")).toBe("PROPFIND");
    expect(faultOf(() => methodOf(undefined)).message).toBe(
      'A method must be a string such as "GET", but is undefined.',
    );
  });
});
