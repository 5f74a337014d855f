import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../tools/vitest/any-character.ts";
import { anyUrl } from "../../../tools/vitest/any-url.ts";
import {
  CaptureError,
  explainCapture,
  importCapture,
  type ImportedCapture,
  readCapture,
  renderWaterfall,
  writeTest,
} from "../src/index.ts";
import { bytesOf, documentOf, entryOf, harOf, pageOf, requestsOf } from "./har-file.ts";

/** An entry with every field that the importer reads. */
const fullEntry = entryOf("https://shop.test/a?b=c", {
  pageref: "p",
  _resourceType: "xhr",
  _fromCache: null,
  _fetchedViaServiceWorker: false,
  _webSocketMessages: [],
  request: {
    method: "POST",
    headers: [{ name: "Content-Type", value: "multipart/form-data" }],
    postData: {
      mimeType: "multipart/form-data; boundary=x",
      text: "",
      encoding: "",
      params: [{ name: "a", value: "b", fileName: "c", contentType: "d" }],
    },
  },
  response: { headers: [{ name: "Location", value: "/" }], _error: null, redirectURL: "/x" },
});
const full = harOf([documentOf("https://shop.test/", { pageref: "p" }), fullEntry], [pageOf("p")]);

/** Returns the path of every node in a JSON value. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((inner, index) =>
      String(index) === key ? replaceAt(inner, rest, replacement) : (inner as unknown),
    );
  if (typeof value !== "object" || value === null) return value;
  return {
    ...value,
    [key]: replaceAt(Object.getOwnPropertyDescriptor(value, key)?.value, rest, replacement),
  };
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  anyUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom("__proto__", "%", "https://[", "2026-01-01T00:00:00Z", "base64"),
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.array(anyText),
  fc.dictionary(anyText, fc.jsonValue()),
);
const anyCapture = fc
  .array(fc.tuple(fc.constantFrom(...pathsIn(full)), anything), { minLength: 1, maxLength: 6 })
  .map((changes) => changes.reduce<unknown>((har, [path, value]) => replaceAt(har, path, value), full));

/** Characters that output must not contain: they move the cursor, change the text direction or are invisible. */
const unprintable = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--\n]/v;

/** Reads and imports a capture and writes its test. A `CaptureError` is allowed; any other error fails the test. */
async function tryImport(chunks: Iterable<Uint8Array>): Promise<void> {
  let imported: ImportedCapture;
  try {
    imported = await importCapture(() => chunks, { parameterize: true });
  } catch (error) {
    if (error instanceof CaptureError) return;
    throw error;
  }
  const { model } = imported;
  const kept = requestsOf(model).flatMap(({ entryIndex, redirectedTo }) => [entryIndex, ...redirectedTo]);
  const omitted = model.omissions.map(({ entryIndex }) => entryIndex);
  const readable = (await readCapture(chunks)).entries.map(({ index }) => index);
  expect([...kept, ...omitted].sort((left, right) => left - right)).toEqual(readable);
  // With a hundred thousand segments, vitest's own comparison would take a second each time.
  expect(isDeepStrictEqual(structuredClone(model), model), "a model of plain data").toBe(true);
  expect(explainCapture(model)).not.toMatch(unprintable);
  expect(explainCapture(model)).not.toMatch(/[\p{Co}\p{Cn}]/u);
  expect(renderWaterfall(model)).not.toMatch(unprintable);
  const { source, envExample, model: written } = await writeTest(imported, { formatted: false });
  const dropped = requestsOf(model).length - requestsOf(written).length;
  expect(written.omissions.length - omitted.length, "requests that were not written").toBe(dropped);
  expect(source).not.toMatch(unprintable);
  expect(envExample).not.toMatch(unprintable);
}

test("any value anywhere in a capture is read or rejected with a CaptureError, and no entry is lost", async () => {
  const property = fc.asyncProperty(anyCapture, (har) => tryImport(bytesOf(har)));
  await fc.assert(property, { numRuns: 300 });
});

test("a text that may be base64, with any padding, is handled anywhere in a capture", async () => {
  const mayBeBase64 = fc.stringMatching(/^(?:https:\/\/shop\.test\/\?x=)?[a-z/+]{12,15}={0,4}$/);
  const property = fc.asyncProperty(fc.constantFrom(...pathsIn(full)), mayBeBase64, (path, text) =>
    tryImport(bytesOf(replaceAt(full, path, text))),
  );
  await fc.assert(property, { numRuns: 300 });
});

test("any JSON is read or rejected with a CaptureError", async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue(), (value) => tryImport(bytesOf(value))));
});

test("any bytes, in any chunks, are read or rejected with a CaptureError", async () => {
  const [bytes = new Uint8Array()] = bytesOf(full);
  const damaged = fc
    .tuple(fc.nat(bytes.length), fc.uint8Array({ maxLength: 8 }), fc.nat(bytes.length))
    .map(([at, insert, end]) => {
      const joined = Uint8Array.of(...bytes.subarray(0, at), ...insert, ...bytes.subarray(Math.max(at, end)));
      return [joined.subarray(0, 3), joined.subarray(3)];
    });
  await fc.assert(fc.asyncProperty(fc.oneof(damaged, fc.array(fc.uint8Array())), tryImport), {
    numRuns: 200,
  });
});

test.each(["eyJ-", "a@", "; ", "%41", "&#1;", "=", "/;", "-----BEGIN ", "Aa1"])(
  "100 KB of %j in every text are imported in less than 10 s of CPU time",
  async (piece) => {
    const long = piece.repeat(100_000 / piece.length);
    const texts = { name: long, value: long };
    const request = {
      method: "POST",
      headers: [texts, { name: "x-long", value: long }],
      postData: { mimeType: long, params: [texts] },
    };
    const response = { redirectURL: long, content: { mimeType: long, text: long, encoding: "base64" } };
    const entry = entryOf(`https://shop.test/${long}?${long}=${long}`, {
      startedDateTime: long,
      request,
      response,
    });
    const usage = process.cpuUsage();
    await tryImport(bytesOf(harOf([entry, entryOf(long)], [pageOf("p", { title: long })])));
    await tryImport([
      new TextEncoder().encode(`call(${JSON.stringify(harOf([entry]))})${" ".repeat(100_000)}x`),
    ]);
    expect(process.cpuUsage(usage).user).toBeLessThan(10_000_000);
  },
);
