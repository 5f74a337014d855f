import { describe, expect, test } from "vitest";
import {
  BearhugError,
  extract,
  ExtractError,
  type Extractor,
  InvalidExtractorError,
} from "../../src/index.ts";
import { jsonOf, responseOf, type WrittenResponse } from "./answer-of.ts";

/** Returns the message of the error about a value that a response does not have. */
function absence(response: WrittenResponse, extractor: Extractor): string {
  try {
    extract(responseOf(response), extractor);
  } catch (error) {
    expect(error).toBeInstanceOf(ExtractError);
    if (error instanceof ExtractError) return error.message;
  }
  throw new Error("the value was found");
}

describe("the error about a missing value names what is there", () => {
  test("among the form fields", () => {
    const body = '<input name="user" value="ann"><input name="pin" value="1234"><input name="user">';
    expect(absence({ body }, { field: "csrf" })).toBe(
      'No form field "csrf" in the response of https://shop.example/login (status 200): its form fields are "user", "pin"',
    );
    expect(absence({}, { meta: "csrf" })).toContain(": it has no meta elements");
  });

  test("in a JSON document, at the point where the path leaves it", () => {
    const body = JSON.stringify({ user: { items: [1, 2], name: null, "odd key": {} } });
    const reasonFor = (json: string) => absence({ body }, { json }).replace(/^.*\(status 200\): /, "");
    expect(reasonFor("user.items[2]")).toBe("user.items is an array of 2");
    expect(reasonFor("user.token")).toBe('user is an object with "items", "name", "odd key"');
    expect(reasonFor("user.name")).toBe("user.name is null");
    expect(reasonFor("user.items")).toBe("user.items is an array of 2");
    expect(reasonFor('user["odd key"].x')).toBe('user["odd key"] is an empty object');
    expect(reasonFor("token")).toBe('it is an object with "user"');
    expect(reasonFor("user.items[0].id")).toBe("user.items[0] is a number");
    expect(reasonFor("user.constructor.name")).toBe('user is an object with "items", "name", "odd key"');
  });

  test("in a body that is no JSON", () => {
    const response = { body: "<html>", headers: { "content-type": "text/html" } };
    expect(absence(response, { json: "token" })).toContain("its body is not JSON (6 characters, text/html)");
  });

  test("among headers, parameters and texts", () => {
    const response = {
      status: 404,
      url: "https://shop.example/users/7?code=s3cret",
      headers: { "x-one": "s3cret" },
    };
    expect(absence(response, { header: "x-two" })).toContain('its headers are "x-one"');
    const parameter = absence(response, { query: "state" });
    expect(parameter).toContain('of https://shop.example/users/:id (status 404): its parameters are "code"');
    const redirected = { ...response, redirected: true };
    expect(absence(redirected, { segment: -3 })).toContain("No segment -3 of the URL in");
    expect(absence(redirected, { segment: 3 })).toContain("its path has 2");
    // A form that is displayed again has the path that it was sent to.
    expect(absence(response, { segment: -1 })).toContain("it was not redirected, and has no location header");
    expect(absence({ body: "abc" }, { between: ["x", "y"] })).toContain(
      'its body (3 characters) does not have "x"',
    );
    expect(absence({ body: "abc" }, { between: ["a", "y"] })).toContain(
      'its body has "a", but not followed by the other text often enough',
    );
  });

  test("and never its value", () => {
    const secret = "s3cret";
    const body = JSON.stringify({ token: [secret], password: { is: secret } });
    const html = `<input name="token" value="${secret}">`;
    const url = `https://ann:${secret}@shop.example/?token=${secret}#${secret}`;
    const headers = { location: `/?${secret}`, authorization: secret };
    for (const extractor of [{ json: "token" }, { json: "password" }, { query: "code" }, { header: "x" }]) {
      expect(absence({ url, headers, body }, extractor)).not.toContain(secret);
    }
    expect(absence({ url, body: html }, { field: "csrf" })).not.toContain(secret);
  });

  test("on one line without control characters, however long the names are", () => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`\u001b[2J\n${i}`.repeat(99), 1])),
    );
    const message = absence({ body, url: "https://shop.example/\u001b" }, { json: "token" });
    expect(message).toMatch(/^[\x20-\x7e…]+$/);
    expect(message.length).toBeLessThan(1_000);
  });
});

test("an extraction from a failed request fails with the reason of that failure", () => {
  const failed = {
    ...responseOf({ status: 0 }),
    error: { code: "CONNECTION_REFUSED", message: "nothing listens there", phase: "connecting" } as const,
  };
  expect(() => extract(failed, { json: "token" })).toThrow("there was no response: nothing listens there");
});

describe("an extractor that describes no place is refused, whatever the response", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [null, "an extractor must be an object"],
    [
      "token",
      'an extractor must be an object such as { json: "id" }, but is a string. Its key is one of json, field',
    ],
    [{}, "an extractor must have one key: json, field, meta, header, query, segment, between."],
    [{ json: "a", field: "b" }, "an extractor must have one key"],
    [{ json: 7 }, "json takes a string."],
    [{ json: "a", nth: 2 }, 'json has no option "nth".'],
    [{ field: "a", nth: 0 }, "nth starts at 1."],
    [{ field: "a", nth: 1.5 }, "nth starts at 1."],
    [{ field: "a", nth: "2" }, "nth starts at 1."],
    [{ segment: 0 }, "segment starts at 1, or at -1 to count back from the last."],
    [{ segment: "id" }, "segment starts at 1"],
    [{ segment: "1" }, "segment starts at 1"],
    [{ segment: 1.5 }, "segment starts at 1"],
    [{ segment: -1, nth: 2 }, 'segment has no option "nth".'],
    [{ between: ["", "b"] }, "between takes two non-empty strings"],
    [{ between: "ab" }, "between takes two non-empty strings"],
    [{ between: ["a"] }, "between takes two non-empty strings"],
    [{ between: ["a", "b", "c"] }, "between takes two non-empty strings"],
    [{ between: ["a", ""] }, "between takes two non-empty strings"],
    [{ between: [1, "b"] }, "between takes two non-empty strings"],
    [{ between: ["a", 2] }, "between takes two non-empty strings"],
    [{ json: "a..b" }, 'JSON path "a..b": expected a key, as in user.id or ["odd key"] at character 3.'],
    [{ json: "a[" }, 'expected "." or "[" at character 2.'],
    [{ json: "[01]" }, "at character 1."],
    [{ json: '["\\x"]' }, "expected a key that is written as in JSON at character 1."],
    [{ json: "a b" }, "at character 2."],
  ];

  test.for(wrong)("%j: %s", ([extractor, sentence]) => {
    const act = () => extract(jsonOf({ a: 1 }), extractor as Extractor);
    expect(act).toThrow(InvalidExtractorError);
    expect(act).toThrow(BearhugError);
    expect(act).toThrow(sentence);
  });
});

test("what is no response is refused: a text, nothing, a body, or a promise that was not awaited", () => {
  const takes = "extract: extract(response, extractor) takes the response of a request, but got";
  for (const [given, sentence] of [
    ["a text", `${takes} a string.`],
    [undefined, `${takes} undefined.`],
    [{ token: "t" }, `${takes} an object.`],
    [Promise.resolve(), "extract: the response is a promise: await the request first."],
  ] as const) {
    const act = (): unknown => Reflect.apply(extract, null, [given, { header: "etag" }]);
    expect(act).toThrow(InvalidExtractorError);
    expect(act).toThrow(sentence);
  }
});
