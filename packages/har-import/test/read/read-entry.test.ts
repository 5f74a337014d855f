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
])("the date %s is read the same on every machine", async (startedDateTime, expected) => {
  expect((await readOne({ startedDateTime })).startedAtMs).toBe(Date.UTC(2026, 0, 1) + expected);
});

test.each(["yesterday", "2026-13-01T00:00:00Z", "01/02/2026", "2026", "NaN"])(
  "%s is not a date, which is reported, and the entry is kept",
  async (startedDateTime) => {
    const { entries, findings } = await read(harOf([entryOf("https://shop.example/", { startedDateTime })]));
    expect(entries[0]?.startedAtMs).toBeNull();
    expect(findings).toEqual([
      {
        path: "$.log.entries[0].startedDateTime",
        problem: "is not a valid date; entry kept in file order",
      },
    ]);
  },
);

test("numbers and booleans are accepted as header values, and joined values are split", async () => {
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
  ["200 OK", 200],
  ["OK", 0],
  [2000, 0],
  [true, 0],
])("a status of %j is read as %j", async (status, expected) => {
  expect((await readOne({ response: { status } })).response?.status).toBe(expected);
});

test("a response that is not an object counts as missing", async () => {
  for (const response of [null, undefined, 7, "200", []]) {
    const { entries } = await read(harOf([{ ...entryOf("https://shop.example/"), response }]));
    expect(entries[0]?.response).toBeNull();
  }
});

test("a body is text, base64, or absent; invalid base64 is reported and read as text", async () => {
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

test("the body size comes from the content, otherwise from bodySize; −1 is unknown", async () => {
  const sizeOf = async (size: unknown, bodySize: unknown) =>
    (await readOne({ response: { content: { size }, bodySize } })).response?.bodyBytes;
  expect(await sizeOf(7, 3)).toBe(7);
  expect(await sizeOf(-1, 3)).toBe(3);
  expect(await sizeOf(undefined, -1)).toBeNull();
});

test.each([
  [{ _fromCache: "disk" }, "cache"],
  [{ _fetchType: "Disk Cache" }, "cache"],
  [{ _fetchType: "Service Worker" }, "service worker"],
  [{ _fetchType: "Network Load" }, "network"],
  [{ _fromCache: "memory" }, "cache"],
  [{ _fetchedViaServiceWorker: true }, "service worker"],
  [{ _fetchedViaServiceWorker: false, _fromCache: null }, "network"],
  // Playwright marks a cached response with a negative body size.
  [{ response: { status: 200, headersSize: 180, bodySize: -180, _transferSize: 0 } }, "cache"],
  [{ response: { status: 200, headersSize: 180, bodySize: 0, _transferSize: 180 } }, "network"],
  [{ response: { status: 200, headersSize: -1, bodySize: -1, _transferSize: 0 } }, "network"],
  [{ response: { status: 200, headersSize: 0, bodySize: 0, _transferSize: 0 } }, "network"],
])("an entry with %j was served by the %s", async (marks, servedBy) => {
  expect((await readOne(marks)).servedBy).toBe(servedBy);
});

test.each([
  ["HTTP/1.0", "http/1"],
  ["http/1.1", "http/1"],
  ["1.1", "http/1"],
  ["HTTP/2", "http/2"],
  ["http/2.0", "http/2"],
  ["HTTP/2.0", "http/2"],
  ["h2", "http/2"],
  ["spdy/3.1", "http/2"],
  ["HTTP/3", "http/3"],
  ["HTTP/3.0", "http/3"],
  ["h3", "http/3"],
  ["h3-29", "http/3"],
  ["http/2.0+quic/46", "http/3"],
  ["http/2+quic/43", "http/3"],
  ["unknown", ""],
  ["", ""],
  ["me:", ""],
  ["ori", ""],
  ["data", ""],
  [null, ""],
])("the HTTP version %j is read as %j", async (httpVersion, expected) => {
  expect((await readOne({ request: { httpVersion }, response: { httpVersion } })).protocol).toBe(expected);
});

test("the HTTP version comes from the response, otherwise from the request, otherwise from pseudo headers", async () => {
  const protocolOf = async (request: string, response: string, headers: readonly unknown[] = []) =>
    (await readOne({ request: { httpVersion: request, headers }, response: { httpVersion: response } }))
      .protocol;
  expect(await protocolOf("http/1.1", "h2")).toBe("http/2");
  expect(await protocolOf("h3", "unknown")).toBe("http/3");
  const pseudo = [{ name: ":authority", value: "shop.example" }];
  expect(await protocolOf("", "", pseudo)).toBe("http/2");
  expect(await protocolOf("h3", "", pseudo)).toBe("http/3");
});

const parts = { blocked: 1, dns: 2, connect: 30, send: 4, wait: 50, receive: 6 };
const readParts = { blockedMs: 1, dnsMs: 2, connectMs: 30, sendMs: 4, waitMs: 50, receiveMs: 6 };
const noParts = { blockedMs: 0, dnsMs: 0, connectMs: 0, sendMs: 0, waitMs: 0, receiveMs: 0 };

test.each([
  ["in the standard form", 93, parts, 93, readParts],
  ["with TLS within connect", 93, { ...parts, ssl: 20 }, 93, readParts],
  [
    "with TLS beside connect, as in Firefox",
    113,
    { ...parts, ssl: 20 },
    113,
    { ...readParts, connectMs: 50 },
  ],
  ["with more TLS than connect", -1, { ...parts, ssl: 40 }, 133, { ...readParts, connectMs: 70 }],
  ["with TLS alone", 20, { connect: -1, ssl: 20 }, 20, { ...noParts, connectMs: 20 }],
  [
    "−1, null and absent",
    5,
    { blocked: -1, dns: null, connect: -1, ssl: -1, wait: 5 },
    5,
    { ...noParts, waitMs: 5 },
  ],
  ["as text", "93", { ...parts, wait: "50" }, 93, readParts],
  ["without the total", undefined, parts, 93, readParts],
  ["with a total of 0", 0, parts, 93, readParts],
  ["with a negative total", -5, parts, 93, readParts],
  ["that is not a number", "soon", { wait: {}, receive: "NaN", send: true }, null, noParts],
  ["that is implausibly long", 1e300, { wait: 1e300 }, null, noParts],
  ["as a list", null, [], null, noParts],
  ["absent", undefined, undefined, null, noParts],
])("a time is read correctly: %s", async (_what, time, timings, durationMs, expected) => {
  const entry = await readOne({ time, timings });
  expect(entry.timings).toEqual(expected);
  expect(entry.durationMs).toBe(durationMs);
});

const frame = (url: string): unknown => ({ functionName: "load", scriptId: "1", url, lineNumber: 1 });

test.each([
  [undefined, null],
  [null, null],
  [7, null],
  ["", null],
  [
    { type: "Parser", url: "https://shop.example/" },
    { type: "parser", url: "https://shop.example/" },
  ],
  [{ type: "other" }, { type: "other", url: null }],
  [
    {
      type: "script",
      stack: { callFrames: [frame(""), frame("https://a.example/x.js"), frame("https://b.example/y.js")] },
    },
    { type: "script", url: "https://a.example/x.js" },
  ],
  [
    { type: "script", stack: { callFrames: [], parent: { callFrames: [frame("https://a.example/x.js")] } } },
    { type: "script", url: "https://a.example/x.js" },
  ],
  [
    { type: "script", stack: { callFrames: "none" } },
    { type: "script", url: null },
  ],
  ["https://shop.example/", { type: "", url: "https://shop.example/" }],
])("the initiator %j is read as %j", async (_initiator, expected) => {
  expect((await readOne({ _initiator })).initiator).toEqual(expected);
});

test("the initiator's type may be in a separate field", async () => {
  expect((await readOne({ _initiator: "https://a.example/", _initiator_type: "parser" })).initiator).toEqual({
    type: "parser",
    url: "https://a.example/",
  });
});

test("cookies come from the list or, if it is empty, from the headers, as they were sent", async () => {
  const cookiesOf = async (cookies: unknown, ...headers: readonly string[]) =>
    (await readOne({ request: { cookies, headers: headers.map((value) => ({ name: "Cookie", value })) } }))
      .request.cookies;
  expect(
    await cookiesOf([{ name: "a", value: "b%20c" }, { name: "d" }, { value: "e" }, null], "x=y"),
  ).toEqual([
    ["a", "b%20c"],
    ["d", ""],
  ]);
  expect(await cookiesOf([], 'a=b%20c; d="e=f"; g=;h;', "i=j")).toEqual([
    ["a", "b%20c"],
    ["d", '"e=f"'],
    ["g", ""],
    ["", "h"],
    ["i", "j"],
  ]);
  expect(await cookiesOf(null)).toEqual([]);
});

test.each([
  [{ response: { status: 0, _error: "net::ERR_ABORTED" } }, true],
  [{ response: { status: -1, _failureText: "net::ERR_ABORTED" } }, true],
  [{ response: { status: -1 }, _failureText: "NS_BINDING_ABORTED" }, true],
  [{ _wasAborted: true }, true],
  [{ response: { status: -1 }, _failureText: "Load request cancelled" }, true],
  [{ response: { status: -1, _failureText: "net::ERR_CONNECTION_REFUSED" } }, false],
  [{ response: { status: 0, _error: "net::ERR_BLOCKED_BY_CLIENT" } }, false],
  [{ response: { status: 200, _error: "net::ERR_HTTP2_PROTOCOL_ERROR" } }, true],
  [{ response: { _charlesStatus: "EXCEPTION" } }, true],
  [{ response: { _charlesStatus: "COMPLETE" } }, false],
  [{ response: { _charlesStatus: "Complete" } }, false],
  [{ response: { _error: null, _failureText: "" }, _wasAborted: false }, false],
  [{}, false],
])("an entry with %j has isAborted: %j", async (rest, expected) => {
  expect((await readOne(rest)).response?.isAborted).toBe(expected);
});

test("a HAR 1.1 capture is read, although it lacks newer fields", async () => {
  const { entries, findings } = await read({
    log: {
      version: "1.1",
      creator: { name: "old", version: "0" },
      pages: [{ startedDateTime: "2009-04-16T12:07:23.596Z", id: "page_0", title: "Old", pageTimings: {} }],
      entries: [
        {
          pageref: "page_0",
          startedDateTime: "2009-04-16T12:07:23.596Z",
          time: 50,
          request: { method: "GET", url: "http://shop.example/", httpVersion: "HTTP/1.1", headers: [] },
          response: {
            status: 200,
            statusText: "OK",
            httpVersion: "HTTP/1.1",
            headers: [],
            content: { size: 3, mimeType: "text/html" },
          },
          cache: {},
          timings: { dns: 0, connect: 0, blocked: 0, send: 1, wait: 48, receive: 1 },
        },
      ],
    },
  });
  expect(findings).toEqual([]);
  expect(entries[0]).toMatchObject({
    durationMs: 50,
    protocol: "http/1",
    initiator: null,
    response: { bodyBytes: 3 },
  });
});
