import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

import { randomSource } from "@bearhug/plan/pacing/random-source";
import type { RequestOptions } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { encodeBody } from "../../src/request/request-body.ts";
import type { RequestBody } from "../../src/transport/wire-body.ts";

const encode = (options: RequestOptions) => encodeBody(options, randomSource(1, 1));

async function textOf(body: RequestBody): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const pieces: Uint8Array[] = [];
  for await (const piece of body.open()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

describe("a body", () => {
  test("that is a Blob can be sent again", async () => {
    const { body } = encode({ body: new Blob(["again"]) })!;
    expect(body).toMatchObject({ isRepeatable: true });
    expect([await textOf(body), await textOf(body)]).toEqual(["again", "again"]);
  });

  test.each([
    {
      options: { json: { name: "Björn", n: [1, null] } },
      text: '{"name":"Björn","n":[1,null]}',
      type: "application/json",
    },
    { options: { json: null }, text: "null", type: "application/json" },
    {
      options: { form: { a: "x y&z", b: [1, true], c: undefined, d: "ä" } },
      text: "a=x+y%26z&b=1&b=true&d=%C3%A4",
      type: "application/x-www-form-urlencoded",
    },
    { options: { body: "text ✓" }, text: "text ✓", type: null },
    { options: { body: "" }, text: "", type: null },
    { options: { body: Uint8Array.of(104, 105) }, text: "hi", type: null },
    { options: { body: Uint8Array.of(104, 105).buffer }, text: "hi", type: null },
    { options: { body: new DataView(Uint8Array.of(0, 104, 105, 0).buffer, 1, 2) }, text: "hi", type: null },
    { options: { body: new Blob(["hi"]) }, text: "hi", type: null },
    { options: { body: new Blob(["<p>"], { type: "text/html" }) }, text: "<p>", type: "text/html" },
    {
      options: { body: new URLSearchParams("b=1&a=2&b=3 4") },
      text: "b=1&a=2&b=3+4",
      type: "application/x-www-form-urlencoded",
    },
    {
      options: { form: new URLSearchParams("b=1&a=2&b=3") },
      text: "b=1&a=2&b=3",
      type: "application/x-www-form-urlencoded",
    },
  ])("of $options is $text", async ({ options, text, type }) => {
    const encoded = encode(options)!;
    expect(await textOf(encoded.body)).toBe(text);
    expect(encoded.body).toHaveLength(Buffer.byteLength(text));
    expect(encoded.contentType).toBe(type);
  });

  test("that is long is encoded once, as long as it stays the same", () => {
    const text = (): string => "grün ".repeat(2000);
    const first = encode({ body: text() })!.body;
    expect(encode({ body: text() })!.body).toBe(first);
    expect(encode({ body: `${text()}.` })!.body).toHaveLength(12_001);
    expect(encode({ body: text() })!.body).toEqual(first);
    expect(encode({ json: text() })!.body).toHaveLength(12_002);
    expect(encode({ body: "x".repeat(2 * 1024 * 1024) })!.body).toHaveLength(2 * 1024 * 1024);
  });

  test("is null if none is given", () => {
    expect(encode({})).toBeNull();
    expect(encode({ headers: { "content-length": "0" } })).toBeNull();
  });

  test("that is multipart has its boundary in the content type", () => {
    expect(encode({ multipart: { a: "1" } })!.contentType).toMatch(/^multipart\/form-data; boundary=/);
  });
});

describe("a body that is a stream", () => {
  test.each([
    { kind: "an async generator", source: () => pieces("ab", "", "c") },
    { kind: "Node's", source: () => Readable.from([Buffer.from("a"), Buffer.from("bc")]) },
    { kind: "the web's", source: () => new Blob(["abc"]).stream() },
  ])("may be $kind; it is read once, and a second request of it is refused", async ({ source }) => {
    const stream = source();
    const first = encode({ body: stream })!.body;
    const second = encode({ body: stream })!.body;
    expect(first).toMatchObject({ length: null, isRepeatable: false });
    expect(await textOf(first)).toBe("abc");
    await expect(textOf(second)).rejects.toThrow("the body was read by an earlier request");
    expect(() => encode({ body: stream })).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
  });

  test("that can be iterated again can be sent again", async () => {
    const source = { [Symbol.asyncIterator]: () => pieces("abc") };
    expect(await textOf(encode({ body: source })!.body)).toBe("abc");
    expect(await textOf(encode({ body: source })!.body)).toBe("abc");
  });

  test("has the length of content-length, and fails if it differs", async () => {
    const encoded = (length: string) =>
      encode({ body: pieces("abc"), headers: { "Content-Length": length } })!.body;
    expect(encoded("3")).toMatchObject({ length: 3 });
    expect(await textOf(encoded("3"))).toBe("abc");
    await expect(textOf(encoded("4"))).rejects.toThrow("the body ended after 3 of its declared 4 bytes");
    await expect(textOf(encoded("2"))).rejects.toThrow(
      "the body is longer than its declared length of 2 bytes",
    );
  });

  test("fails if it produces anything but bytes", async () => {
    await expect(textOf(encode({ body: Readable.from(["text"]) })!.body)).rejects.toThrow(
      "the body produced a value of type string",
    );
  });

  test("that fails before it is read fails when it is read, and breaks nothing else", async () => {
    const { body } = encode({ body: createReadStream("/nowhere/at/all") })!;
    await delay(50);
    await expect(textOf(body)).rejects.toThrow("ENOENT");
  });

  test.each([
    { kind: "Node's", source: () => new Readable({ read: () => undefined }) },
    { kind: "the web's", source: () => new ReadableStream<Uint8Array>() },
    { kind: "an async generator", source: () => pieces("abc") },
  ])("of $kind that is abandoned is released, and cannot be sent again", ({ source }) => {
    const stream = source();
    const { body } = encode({ body: stream })!;
    if (!(body instanceof Uint8Array)) body.abandon?.();
    if (stream instanceof Readable) expect(stream.destroyed).toBe(true);
    expect(() => encode({ body: stream })).toThrow("create one for each request");
  });

  test("that produces nothing more ends when it is abandoned", async () => {
    const stream = new Readable({ read: () => undefined });
    stream.push("first");
    const { body } = encode({ body: stream })!;
    if (body instanceof Uint8Array) throw new Error("no stream");
    const read: string[] = [];
    const reading = (async () => {
      for await (const piece of body.open()) {
        read.push(Buffer.from(piece).toString());
        setImmediate(() => body.abandon?.());
      }
    })();
    await expect(reading).rejects.toThrow("Premature close");
    expect(read).toEqual(["first"]);
  });

  test("that was read to its end has nothing to release", async () => {
    const blob = new Blob(["abc"]).stream();
    const { body } = encode({ body: blob })!;
    expect(await textOf(body)).toBe("abc");
    if (!(body instanceof Uint8Array)) body.abandon?.();
    expect(() => encode({ body: blob })).toThrow("create one for each request");
  });
});

describe("a body that cannot be sent", () => {
  const circular: Record<string, unknown> = { name: "ann" };
  circular["owner"] = { self: circular };
  const shared = { amount: 1 };
  const chain = (levels: number): unknown => {
    const first: Record<string, unknown> = {};
    let last = first;
    for (let level = 0; level < levels; level++) {
      const next: Record<string, unknown> = {};
      last["next"] = next;
      last = next;
    }
    last["back"] = first;
    return first;
  };
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const bad: { readonly options: unknown; readonly says: string }[] = [
    { options: { json: 1, body: "x" }, says: "one of json, form, multipart and body" },
    { options: { form: {}, multipart: {} }, says: "one of json, form, multipart and body" },
    { options: { json: () => 1 }, says: "json: a function cannot be written as JSON" },
    {
      options: { json: 5n },
      says: "json: its value is a bigint, which JSON cannot write: give String(value).",
    },
    { options: { json: { items: [{ id: 5n }] } }, says: 'json: "items[0].id" is a bigint, which JSON' },
    { options: { json: circular }, says: 'json: "owner.self" is an object that contains itself, which JSON' },
    { options: { json: { a: { toJSON: () => 5n } } }, says: 'json: "a" is a bigint, which JSON' },
    {
      options: { json: { kept: shared, list: [shared, { bad: 5n }] } },
      says: 'json: "list[1].bad" is a bigint',
    },
    { options: { json: chain(50) }, says: 'next.back" is an object that contains itself' },
    { options: { json: nested(100_000) }, says: "json: its value is too large, or nested too deeply." },
    { options: { body: { a: 1 } }, says: "body: must be a string, bytes, a Blob" },
    { options: { body: [1, 2] }, says: "for other values, use json" },
    {
      options: { body: "short", headers: { "Content-Length": "99" } },
      says: "is 99, but the body has 5 bytes",
    },
    { options: { headers: { "content-length": "1" } }, says: "is 1, but the body has 0 bytes" },
    { options: { body: "x", headers: { "content-length": "1 " } }, says: "must be one number of bytes" },
    {
      options: { body: "x", headers: { "content-length": ["1", "1"] } },
      says: "must be one number of bytes",
    },
    {
      options: { multipart: { s: { content: pieces("x") } }, headers: { "content-length": "1" } },
      says: "is 1, but the body is sent in chunks",
    },
    {
      options: { multipart: { a: "1" }, headers: { "Content-Type": "multipart/form-data" } },
      says: "content-type: leave it out with multipart",
    },
  ];
  test.each(bad)("is refused: $says", ({ options, says }) => {
    expect(() => encode(options as RequestOptions)).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringContaining(says) as string,
      }),
    );
  });
});
