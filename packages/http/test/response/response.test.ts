import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { receive } from "./receive.ts";

const html = ["content-type", "text/html"];

/** Returns the message of the error that json() throws for a body. */
function jsonError(body: string, secrets: readonly string[] = []): string {
  try {
    receive({ body: [Buffer.from(body)] }, secrets).json();
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).not.toHaveProperty("cause");
    return (error as SyntaxError).message;
  }
  return "it is JSON";
}

describe("the body of a response", () => {
  test("that came in pieces is joined when it is read", () => {
    const response = receive({ body: [Buffer.from("gr"), Buffer.from([0xc3]), Buffer.from([0xbc, 0x6e])] });
    expect(response.text()).toBe("grün");
    expect(receive({ body: [] }).text()).toBe("");
  });

  test("is decompressed once, when it is first read: its size is known from then on", () => {
    const wire = gzipSync("x".repeat(1000));
    const response = receive({
      body: [wire],
      bytesSent: 1,
      bytesReceived: 2,
      rawHeaders: ["Content-Encoding", "gzip"],
    });
    expect(response.size).toEqual({ sent: 1, received: 2, body: wire.length, decoded: null });
    expect(response.text()).toHaveLength(1000);
    expect(response.size).toEqual({ sent: 1, received: 2, body: wire.length, decoded: 1000 });
    expect(response.bytes()).toBe(response.bytes());
  });

  test("is decoded by its byte order mark, its header, or its own declaration", () => {
    const withMark = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("grün", "utf16le")]);
    expect(receive({ body: [withMark], rawHeaders: html }).text()).toBe("grün");
    const page = Buffer.from('<meta charset="iso-8859-1">grün', "latin1");
    expect(receive({ body: [page], rawHeaders: html }).text()).toContain("grün");
    const json = Buffer.from('\ufeff{"a":1}');
    expect(receive({ body: [json] }).json()).toEqual({ a: 1 });
  });

  test.each([
    { whyNoBody: "discarded" as const, says: "set discardBodies: false on this request" },
    { whyNoBody: "noRoom" as const, says: "more than 256 MiB in this worker. Set discardBodies: true" },
    { whyNoBody: "tooLong" as const, says: "only bodies up to 10 MiB are kept" },
  ])("that was not kept ($whyNoBody) is an error only when it is read", ({ whyNoBody, says }) => {
    const response = receive({ body: null, whyNoBody, bodyBytes: 123 });
    expect(response.size).toMatchObject({ body: 123, decoded: null });
    for (const read of [() => response.text(), () => response.json(), () => response.bytes()]) {
      expect(read).toThrow(
        expect.objectContaining({
          name: "BodyUnavailableError",
          code: "BODY_UNAVAILABLE",
          message: expect.stringMatching(
            new RegExp(`http://127.0.0.1:8080/a sent 123 bytes.*${says}`),
          ) as string,
        }),
      );
    }
  });

  test("that cannot be decompressed is an error each time it is read", () => {
    const response = receive({ body: [Buffer.from("plain")], rawHeaders: ["content-encoding", "gzip"] });
    for (let time = 0; time < 2; time++) {
      expect(() => response.text()).toThrow(
        "what http://127.0.0.1:8080/a sent cannot be decompressed: it is not gzip, or damaged (incorrect header check)",
      );
    }
  });
});

describe("a body that is not JSON", () => {
  test.each([
    { body: "<!doctype html>", says: 'but with "<!doctype html>"' },
    { body: "", says: "but with an empty body" },
    { body: "\u001b[31mred\u0000\n", says: String.raw`but with "\u001b[31mred\u0000\n"` },
    { body: "a\u009bb\u202ec\u2028d", says: String.raw`"a\u009bb\u202ec\u2028d"` },
    { body: "x".repeat(100), says: `"${"x".repeat(60)}"…` },
    { body: '{"a":[1,2', says: '"{\\"a\\":[1,2", wrong at character 10' },
    { body: '{"a":', says: '"{\\"a\\":", which ends too early' },
    { body: '{"a" 1}', says: ", wrong at character 6" },
  ])("is quoted harmlessly: $says", ({ body, says }) => {
    expect(jsonError(body)).toContain("http://127.0.0.1:8080/a (status 200) did not respond with JSON");
    expect(jsonError(body)).toContain(says);
  });

  test("is quoted without secrets, even if one would be cut in two", () => {
    const words = jsonError(`<p>${"x".repeat(50)}s3cret-token</p>`, ["s3cret-token"]);
    expect(words).toContain(`x***<`);
    expect(words).not.toContain("s3c");
  });
});

describe("the head of a response", () => {
  test("finds headers regardless of case, with one character for each byte", () => {
    const { headers } = receive({ rawHeaders: ["X-One", "1", "x-many", "a", "X-MANY", "b", "x-utf8", "Ã¼"] });
    expect(headers.get("x-one")).toBe("1");
    expect(headers.get("X-Many")).toBe("a, b");
    expect(headers.getAll("x-many")).toEqual(["a", "b"]);
    expect(headers.get("absent")).toBeNull();
    expect(headers.get("x-utf8")).toBe("Ã¼");
    expect([...headers.entries()].map(([name]) => name)).toEqual(["x-one", "x-many", "x-many", "x-utf8"]);
  });

  test("has the facts of the exchange", () => {
    const error = { code: "CONNECTION_RESET", message: "m", phase: "waiting" } as const;
    const failed = receive({ status: 0, protocol: "", error });
    expect(failed).toMatchObject({ ok: false, status: 0, protocol: "", error, fromCache: false });
    const cached = receive({ fromCache: true, protocol: "HTTP/2" });
    expect(cached).toMatchObject({ ok: true, error: null, protocol: "HTTP/2", fromCache: true });
    expect(cached.timings).toMatchObject({ waiting: 3, responseTime: 10 });
  });
});
