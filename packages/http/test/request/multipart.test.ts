import { openAsBlob } from "node:fs";
import { appendFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

import { randomSource } from "@bearhug/plan/pacing/random-source";
import type { RequestOptions } from "@bearhug/sdk";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { encodeMultipart, type MultipartBody } from "../../src/request/multipart.ts";

type Fields = NonNullable<RequestOptions["multipart"]>;

const encode = (fields: Fields): MultipartBody => encodeMultipart(fields, randomSource(1, 1));

async function bytesOf({ body }: MultipartBody): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Parses a body as a server does. Node warns about its parser for untrusted input, but this is our own. */
async function parse(encoded: MultipartBody): Promise<FormData> {
  const bytes = await bytesOf(encoded);
  expect([null, bytes.length]).toContain(encoded.body.length);
  const headers = { "content-type": encoded.contentType };
  const form: { formData(): Promise<FormData> } = new Response(new Uint8Array(bytes), { headers });
  return form.formData();
}

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bearhug-multipart-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function* inPieces(...pieces: unknown[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield (await Promise.resolve(piece)) as Uint8Array;
}

describe("a multipart body", () => {
  test("is written as browsers write it", async () => {
    const encoded = encode({
      a: "1",
      ['b\r\n"c']: Uint8Array.of(0, 255),
      d: { content: "{}", type: "application/json" },
    });
    const boundary = /^multipart\/form-data; boundary=(----bearhug[0-9a-f]{32})$/.exec(
      encoded.contentType,
    )![1]!;
    expect((await bytesOf(encoded)).toString("latin1")).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="a"',
        "",
        "1",
        `--${boundary}`,
        'Content-Disposition: form-data; name="b%0D%0A%22c"; filename="blob"',
        "Content-Type: application/octet-stream",
        "",
        "\x00\xff",
        `--${boundary}`,
        'Content-Disposition: form-data; name="d"',
        "Content-Type: application/json",
        "",
        "{}",
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    );
    expect(encoded.body).toBeInstanceOf(Uint8Array);
  });

  test("is the same for the same seed, and has another boundary each time", () => {
    const twice = (): MultipartBody[] => {
      const random = randomSource(7, 1);
      return [encodeMultipart({ a: "1" }, random), encodeMultipart({ a: "1" }, random)];
    };
    expect(twice()).toEqual(twice());
    const [one, another] = twice();
    expect(one!.contentType).not.toBe(another!.contentType);
  });

  test("has its parts unchanged, whatever they are", async () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    const field = fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.boolean());
    const file = fc.record({
      content: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: "grapheme" })),
      filename: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
      type: fc.constantFrom("text/plain", "image/png"),
    });
    const fields = fc.dictionary(name, fc.oneof(field, fc.array(file, { maxLength: 3 })), {
      maxKeys: 6,
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(fields, async (given) => {
        const form = await parse(encode(given));
        const expected: unknown[] = [];
        for (const [key, value] of Object.entries(given)) {
          for (const one of Array.isArray(value) ? value : [value]) {
            if (typeof one === "object") {
              const { filename, type, content } = one;
              const bytes = Buffer.from(typeof content === "string" ? Buffer.from(content) : content);
              expected.push([key, filename, type, bytes.toString("hex")]);
            } else expected.push([key, crlf(String(one)).toWellFormed()]);
          }
        }
        const read: unknown[] = [];
        for (const [key, value] of form) {
          if (typeof value === "string") read.push([key, value]);
          else
            read.push([key, value.name, value.type, Buffer.from(await value.arrayBuffer()).toString("hex")]);
        }
        expect(read).toEqual(expected);
      }),
    );
  });

  test("of a FormData has its fields and files, in order", async () => {
    const form = new FormData();
    form.append("tag", "a");
    form.append("photo", new File(["jpeg"], "beach.jpg", { type: "image/jpeg" }));
    form.append("tag", "b");
    form.append("raw", new Blob(["?"]));
    const parsed = [...(await parse(encode(form)))];
    expect(parsed.map(([name, value]) => [name, typeof value === "string" ? value : value.name])).toEqual([
      ["tag", "a"],
      ["photo", "beach.jpg"],
      ["tag", "b"],
      ["raw", "blob"],
    ]);
    const files = parsed.flatMap(([, value]) => (typeof value === "string" ? [] : [value]));
    expect(files.map(({ type }) => type)).toEqual(["image/jpeg", "application/octet-stream"]);
    expect(await Promise.all(files.map((file) => file.text()))).toEqual(["jpeg", "?"]);
  });

  test("has Blobs as parts, which may have another name and type", async () => {
    const file = new File(["hi"], "a.txt", { type: "text/plain" });
    const encoded = encode({ a: file, b: { content: file, filename: "b.md", type: "text/markdown" } });
    expect(encoded.body).toMatchObject({ isRepeatable: true });
    const parsed = [...(await parse(encoded))] as [string, File][];
    expect(parsed.map(([, { name, type }]) => [name, type])).toEqual([
      ["a.txt", "text/plain"],
      ["b.md", "text/markdown"],
    ]);
  });

  test("of a Blob that stands for a file is read from the file", async () => {
    const blob = await openAsBlob(await fileOf("list.csv", "a,b"), { type: "text/csv" });
    const parsed = [...(await parse(encode({ list: blob })))] as [string, File][];
    expect(await parsed[0]![1].text()).toBe("a,b");
  });

  test("leaves out undefined values, and repeats a name for each value of a list", async () => {
    const form = await parse(encode({ a: undefined, b: ["1", undefined, 2, true], c: [], d: "" }));
    expect([...form]).toEqual([
      ["b", "1"],
      ["b", "2"],
      ["b", "true"],
      ["d", ""],
    ]);
  });

  test("without parts consists of the last boundary", async () => {
    const encoded = encode({});
    expect((await bytesOf(encoded)).toString()).toMatch(/^------bearhug[0-9a-f]{32}--\r\n$/);
  });
});

const crlf = (text: string): string => text.replace(/\r\n|\r|\n/g, "\r\n");

describe("a file of a multipart body", () => {
  test("is streamed from disk, under its own name, and its length is known beforehand", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const path = await fileOf('päck "1".bin', bytes);
    const encoded = encode({ before: "1", upload: { file: path }, after: "2" });
    expect(encoded.body).toMatchObject({ isRepeatable: true });
    expect(encoded.body.length).toBeGreaterThan(bytes.length);
    for (let time = 0; time < 2; time++) {
      const form = await parse(encoded);
      const upload = form.get("upload") as File;
      expect([upload.name, upload.type, upload.size]).toEqual([
        'päck "1".bin',
        "application/octet-stream",
        bytes.length,
      ]);
      expect(Buffer.from(await upload.arrayBuffer()).equals(bytes)).toBe(true);
      expect([form.get("before"), form.get("after")]).toEqual(["1", "2"]);
    }
  });

  test("may be empty, and have another name and type", async () => {
    const path = await fileOf("empty", "");
    const form = await parse(encode({ f: { file: path, filename: "a/b.csv", type: "text/csv" } }));
    const file = form.get("f") as File;
    expect([file.name, file.type, file.size]).toEqual(["a/b.csv", "text/csv", 0]);
  });

  test("that cannot be read is refused before anything is sent", async () => {
    const folder = join(await fileOf("x", ""), "..");
    expect(() => encode({ f: { file: join(folder, "missing.bin") } })).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringMatching(
          /^multipart: "f" is the file ".*missing\.bin", which can't be read \(ENOENT\)\.$/,
        ) as string,
      }),
    );
    expect(() => encode({ f: { file: folder } })).toThrow("which is not a file");
  });

  test.each([
    {
      what: "extended",
      change: (path: string) => appendFile(path, "more"),
      says: "is longer than its declared length of 5 bytes",
    },
    {
      what: "shortened",
      change: (path: string) => truncate(path, 2),
      says: "ended after 2 of its declared 5 bytes",
    },
    { what: "removed", change: (path: string) => rm(path), says: "ENOENT" },
  ])("that was $what meanwhile fails while it is sent", async ({ change, says }) => {
    const path = await fileOf("f", "12345");
    const encoded = encode({ f: { file: path } });
    await change(path);
    await expect(bytesOf(encoded)).rejects.toThrow(says);
  });
});

describe("a stream in a multipart body", () => {
  test.each([
    {
      kind: "an async generator",
      source: () => inPieces(Buffer.from("ab"), Buffer.alloc(0), Buffer.from("c")),
    },
    { kind: "Node's", source: () => Readable.from([Buffer.from("a"), Buffer.from("bc")]) },
    { kind: "the web's", source: () => new Blob(["abc"]).stream() },
  ])("may be $kind, of known length or not", async ({ source }) => {
    const unknown = encode({ s: { content: source() } });
    expect(unknown.body).toMatchObject({ length: null, isRepeatable: false });
    const file = (await parse(unknown)).get("s") as File;
    expect([file.name, await file.text()]).toEqual(["blob", "abc"]);
    const known = encode({ s: { content: source(), length: 3, filename: "s.txt", type: "text/plain" } });
    expect(known.body.length).toBeGreaterThan(3);
    const named = (await parse(known)).get("s") as File;
    expect([named.name, named.type, await named.text()]).toEqual(["s.txt", "text/plain", "abc"]);
  });

  test.each([
    {
      pieces: [Buffer.from("abcd")],
      says: 'the part "s" is longer than its declared length of 3 bytes',
    },
    { pieces: [Buffer.from("ab")], says: 'the part "s" ended after 2 of its declared 3 bytes' },
    {
      pieces: ["abc"],
      says: 'the part "s" produced a value of type string, but only bytes (Uint8Array) can be sent',
    },
    { pieces: [null], says: "produced null" },
  ])("that gives $pieces instead of three bytes fails: $says", async ({ pieces, says }) => {
    await expect(bytesOf(encode({ s: { content: inPieces(...pieces), length: 3 } }))).rejects.toThrow(says);
  });

  test("is destroyed when the body is abandoned", async () => {
    const stream = new Readable({ read: () => undefined });
    const { body } = encode({ s: { content: stream }, f: { content: inPieces() } });
    if (!(body instanceof Uint8Array)) body.abandon?.();
    expect(stream.destroyed).toBe(true);
    expect(() => encode({ s: { content: stream } })).toThrow("create one for each request");
  });
});

describe("an invalid part", () => {
  test.each([
    { value: { content: "x", length: 2 }, says: '"p" has 1 bytes, but its length is 2' },
    { value: { content: "x", length: -1 }, says: "has a length that is not a number of bytes" },
    { value: { content: "x", type: "a\r\nb: c" }, says: "has a type that cannot be written in a header" },
    { value: { content: 5 }, says: "has content that is not a string, bytes, a Blob or a stream of them" },
    { value: { file: "x", content: "y" }, says: "must be a string, a number, a boolean, a Uint8Array" },
    { value: { file: 5 }, says: "must be a string" },
    { value: null, says: "must be a string" },
    { value: () => 1, says: "must be a string" },
  ])("$value is refused: $says", ({ value, says }) => {
    const fields: unknown = { p: value };
    expect(() => encode(fields as Fields)).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringContaining(says) as string,
      }),
    );
  });
});
