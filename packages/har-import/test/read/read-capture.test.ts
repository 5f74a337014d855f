import { expect, test } from "vitest";
import { CaptureError, readCapture } from "../../src/index.ts";
import { bytesOf, entryOf, harOf, pageOf, read } from "../har-file.ts";

const har = harOf([entryOf("https://shop.example/a"), entryOf("https://shop.example/b")]);
const json = JSON.stringify(har);

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function problemOf(chunks: Iterable<Uint8Array>): Promise<string> {
  const error: unknown = await readCapture(chunks).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CaptureError);
  return (error as CaptureError).message;
}

test("entries keep their order and index in the file", async () => {
  const { entries, findings } = await read(har);
  expect(entries.map(({ index, request }) => [index, request.url])).toEqual([
    [0, "https://shop.example/a"],
    [1, "https://shop.example/b"],
  ]);
  expect(findings).toEqual([]);
});

test("bytes may arrive one by one and asynchronously, even within a character", async () => {
  const withUmlaut = harOf([entryOf("https://shop.example/ü")]);
  const [all = new Uint8Array()] = bytesOf(withUmlaut);
  async function* oneByOne(): AsyncGenerator<Uint8Array> {
    for (const byte of all) yield Uint8Array.of(byte);
  }
  expect((await readCapture(oneByOne())).entries[0]?.request.url).toBe("https://shop.example/ü");
});

test.each([
  ["a UTF-8 byte-order mark", bytes(`\u{feff}${json}`)],
  ["UTF-16 without a mark", new Uint8Array(Buffer.from(json, "utf16le"))],
  ["UTF-16, little endian", Uint8Array.of(0xff, 0xfe, ...Buffer.from(json, "utf16le"))],
  ["UTF-16, big endian", Uint8Array.of(0xfe, 0xff, ...Buffer.from(json, "utf16le").swap16())],
  ["a function call around it", bytes(`onInputData(${json});`)],
  ["a function call with a dotted name and spaces", bytes(`\n har.view ( ${json} ) \n`)],
  ["whitespace around it", bytes(`\n\n ${json}\n`)],
])("a file with %s is read", async (_what, file) => {
  expect((await readCapture([file])).entries).toHaveLength(2);
});

test("the complete entries of a truncated file are read, and the place of the cut is reported", async () => {
  const cut = json.slice(0, json.indexOf("shop.example/b"));
  const { entries, findings } = await readCapture([bytes(cut)]);
  expect(entries.map(({ request }) => request.url)).toEqual(["https://shop.example/a"]);
  expect(findings).toEqual([
    {
      path: "$.log.entries[1]",
      problem: `the file is truncated at byte ${cut.length}; only the entries before it were read`,
    },
  ]);
});

test("a file truncated anywhere yields its complete entries, or an error if there are none", async () => {
  const firstEntryEnd = json.indexOf('},{"startedDateTime"') + 1;
  for (let length = 1; length < json.length; length++) {
    const chunks = [bytes(json.slice(0, length))];
    if (length < firstEntryEnd) {
      expect(await problemOf(chunks)).toContain(
        `is truncated at byte ${length}, before the end of its first entry`,
      );
    } else {
      expect((await readCapture(chunks)).entries.length).toBeGreaterThan(0);
    }
  }
});

test.each([
  ["", "The capture is empty."],
  [" \n", "The capture is empty."],
  ["{}", 'The file has no "log" object, so it is not a HAR capture.'],
  ["[]", 'The file has no "log" object, so it is not a HAR capture.'],
  ["null", 'The file has no "log" object, so it is not a HAR capture.'],
  ['{"log":{}}', 'The capture has no "log.entries" list.'],
  ['{"log":{"entries":{}}}', 'The capture has no "log.entries" list.'],
  ['{"log":{"entries":[]}}', "The capture has no entries: nothing was recorded."],
  ["<html>", "The capture is not JSON, or is damaged before the end of its first entry. Export it again."],
  ['{"log": oops}', 'The file has no "log" object, so it is not a HAR capture.'],
  [
    '{"log": (oops}',
    "The capture is not JSON, or is damaged before the end of its first entry. Export it again.",
  ],
  [
    '{"log": {"entries": [{"a": %',
    "The capture is not JSON, or is damaged before the end of its first entry. Export it again.",
  ],
  [
    '{"log": {"ent',
    "The capture is truncated at byte 13, before the end of its first entry. Export it again.",
  ],
])("a file that consists of %j is rejected with the reason", async (text, message) => {
  expect(await problemOf([bytes(text)])).toBe(message);
});

test("a broken entry in the middle of a file is reported with its place, and the others are read", async () => {
  const entries = Array.from({ length: 9 }, (_, index) => entryOf(`https://shop.example/${index}`));
  const whole = JSON.stringify(harOf(entries));
  for (let broken = 0; broken < entries.length; broken++) {
    const file = whole.replace(`"https://shop.example/${broken}"`, "oops");
    const capture = await readCapture([bytes(file)]);
    expect(capture.entries.map(({ index }) => index)).toEqual(
      entries.map((_, index) => index).filter((index) => index !== broken),
    );
    expect(capture.findings).toEqual([
      { path: `$.log.entries[${broken}]`, problem: "is not valid JSON; skipped" },
    ]);
  }
});

test("a file that stops being JSON yields the entries before that, and the place is reported", async () => {
  const { entries, findings } = await readCapture([bytes(json.replace('"https://shop.example/b"', "%"))]);
  expect(entries.map(({ index }) => index)).toEqual([0]);
  expect(findings).toEqual([
    {
      path: "$.log.entries[1]",
      problem: "the file is not valid JSON from here on; only the entries before it were read",
    },
  ]);
});

test("an error never quotes the file, which may contain secrets", async () => {
  expect(await problemOf([bytes('{"log": hunter2}')])).not.toContain("hunter2");
});

test.each([
  ["gzip", [0x1f, 0x8b, 8, 0], "compressed with gzip"],
  ["zip", [0x50, 0x4b, 3, 4], "zip archive"],
])("a %s file is rejected with the advice to unpack it", async (_what, head, words) => {
  expect(await problemOf([Uint8Array.from(head)])).toContain(words);
});

test("an unreadable entry is reported with its path, and the others are read", async () => {
  const { entries, findings } = await read(
    harOf([
      null,
      { request: {} },
      { request: { method: "GET", url: 7 } },
      entryOf("https://shop.example/", { request: { method: null } }),
      entryOf("https://shop.example/"),
    ]),
  );
  expect(entries.map(({ index }) => index)).toEqual([4]);
  const problem = "is missing or invalid; entry skipped";
  expect(findings).toEqual([
    { path: "$.log.entries[0]", problem },
    { path: "$.log.entries[1].request.method", problem },
    { path: "$.log.entries[2].request.url", problem },
    { path: "$.log.entries[3].request.method", problem },
  ]);
});

test("a page may lack any field", async () => {
  const { pages } = await read(
    harOf([entryOf("https://shop.example/")], [pageOf("p1", { title: "Shop" }), { id: 7 }, null]),
  );
  expect(pages).toEqual([
    { id: "p1", title: "Shop", startedAtMs: Date.UTC(2026, 0, 1), loadedAfterMs: null },
    { id: "7", title: "", startedAtMs: null, loadedAfterMs: null },
    { id: "", title: "", startedAtMs: null, loadedAfterMs: null },
  ]);
});

test.each([
  [{ onLoad: 812.5 }, 812.5],
  [{ onLoad: -1 }, null],
  [{ onLoad: null }, null],
  [{ onLoad: "812" }, 812],
  [{}, null],
  [null, null],
  ["soon", null],
])("a page with the timings %j was loaded after %j ms", async (pageTimings, expected) => {
  const { pages } = await read(harOf([entryOf("https://shop.example/")], [pageOf("p1", { pageTimings })]));
  expect(pages[0]?.loadedAfterMs).toBe(expected);
});

test("a date is read the same on every machine, with or without a time zone", async () => {
  const { pages } = await read(
    harOf(
      [entryOf("https://shop.example/")],
      ["2026-01-01T00:00:00", "2026-01-01T01:00:00+01:00"].map((startedDateTime) =>
        pageOf("p", { startedDateTime }),
      ),
    ),
  );
  expect(pages.map(({ startedAtMs }) => startedAtMs)).toEqual([Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1)]);
});

test("a capture read without bodies is otherwise the same", async () => {
  const texts = ["hello", "", 'a "quoted" \\ line\n', "–", null];
  const captured = harOf(
    texts.map((text) => entryOf("https://shop.example/", { response: { content: { text } } })),
  );
  const withBodies = await readCapture(bytesOf(captured));
  const withoutBodies = await readCapture(bytesOf(captured), { bodies: false });
  expect(withBodies.entries.map(({ response }) => response?.body)).toEqual(
    texts.map((text) => (text === null ? null : { text })),
  );
  expect(withoutBodies.entries).toEqual(
    withBodies.entries.map((entry) => ({ ...entry, response: { ...entry.response, body: null } })),
  );
});
