import { expect, test } from "vitest";
import type { CaptureEntry } from "../../src/index.ts";
import { entryOf, harOf, read } from "../har-file.ts";

async function readOne(rest: Parameters<typeof entryOf>[1]): Promise<CaptureEntry> {
  const { entries } = await read(harOf([entryOf("https://shop.example/", rest)]));
  return entries[0]!;
}

test.each([
  ["2026-01-01T00:00:01.500Z", 1500],
  ["2026-01-01T01:00:01.5+01:00", 1500],
  ["2026-01-01T01:00:01,5+0100", 1500],
  ["2026-01-01T00:00:01.5001234Z", 1500],
  ["2026-01-01T00:00:01.5", 1500],
  ["2026-01-01T00:00", 0],
])("the date %s is understood, on any machine alike", async (startedDateTime, expected) => {
  expect((await readOne({ startedDateTime })).startedAtMs).toBe(Date.UTC(2026, 0, 1) + expected);
});

test.each(["yesterday", "2026-13-01T00:00:00Z", "01/02/2026", "2026", "NaN"])(
  "%s is no date, which is a finding and not the end of the entry",
  async (startedDateTime) => {
    const { entries, findings } = await read(harOf([entryOf("https://shop.example/", { startedDateTime })]));
    expect(entries[0]?.startedAtMs).toBeNull();
    expect(findings).toEqual([
      {
        path: "$.log.entries[0].startedDateTime",
        problem: "is no date: the entry keeps its place in the file",
      },
    ]);
  },
);

test("header values that are no text are taken as text where they can be, and joined ones are parted", async () => {
  const headers = [
    { name: "x-number", value: 7 },
    { name: "x-flag", value: true },
    { name: "x-null", value: null },
    { name: "x-object", value: {} },
    { name: "x-two", value: "a\nb" },
    { value: "nameless" },
    "header",
    null,
  ];
  const { request, response } = await readOne({ request: { headers }, response: { headers } });
  const expected = [
    ["x-number", "7"],
    ["x-flag", "true"],
    ["x-two", "a"],
    ["x-two", "b"],
  ];
  expect(request.headers).toEqual(expected);
  expect(response?.headers).toEqual(expected);
});

test.each([
  [200, 200],
  ["304", 304],
  [0, 0],
  [null, 0],
  [-1, 0],
  ["", 0],
  [undefined, null],
])("a status of %j is read as %j", async (status, expected) => {
  expect((await readOne({ response: { status } })).response?.status).toBe(expected);
});

test("an answer that is no object is none", async () => {
  for (const response of [null, undefined, 7, "200", []]) {
    const { entries } = await read(harOf([{ ...entryOf("https://shop.example/"), response }]));
    expect(entries[0]?.response).toBeNull();
  }
});

test("a body is text, base64, or absent; bad base64 is a finding and taken as text", async () => {
  const bodyOf = async (content: unknown) => (await readOne({ response: { content } })).response?.body;
  expect(await bodyOf({ text: "a" })).toEqual({ text: "a" });
  expect(await bodyOf({ text: "aGk=", encoding: "base64" })).toEqual({ base64: "aGk=" });
  expect(await bodyOf({ size: 7 })).toBeNull();
  expect(await bodyOf(null)).toBeNull();

  const bad = harOf([
    entryOf("https://shop.example/", { response: { content: { text: "<svg>", encoding: "base64" } } }),
  ]);
  const { entries, findings } = await read(bad);
  expect(entries[0]?.response?.body).toEqual({ text: "<svg>" });
  expect(findings.map(({ path }) => path)).toEqual(["$.log.entries[0].response.content.text"]);
});

test("a size is the content's, else the body's, and −1 is unknown", async () => {
  const sizeOf = async (size: unknown, bodySize: unknown) =>
    (await readOne({ response: { content: { size }, bodySize } })).response?.bodyBytes;
  expect(await sizeOf(7, 3)).toBe(7);
  expect(await sizeOf(-1, 3)).toBe(3);
  expect(await sizeOf(undefined, -1)).toBeNull();
});

test.each([
  [{ _fromCache: "disk" }, "cache"],
  [{ _fromCache: "memory" }, "cache"],
  [{ _fetchedViaServiceWorker: true }, "service worker"],
  [{ _fetchedViaServiceWorker: false, _fromCache: null }, "network"],
  // Playwright's way: less than nothing was transferred.
  [{ response: { status: 200, headersSize: 180, bodySize: -180, _transferSize: 0 } }, "cache"],
  [{ response: { status: 200, headersSize: 180, bodySize: 0, _transferSize: 180 } }, "network"],
  [{ response: { status: 200, headersSize: -1, bodySize: -1, _transferSize: 0 } }, "network"],
  [{ response: { status: 200, headersSize: 0, bodySize: 0, _transferSize: 0 } }, "network"],
])("an entry with %j was answered by the %s", async (marks, servedBy) => {
  expect((await readOne(marks)).servedBy).toBe(servedBy);
});
