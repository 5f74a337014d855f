import { expect, test } from "vitest";
import type { CaptureEntry } from "../../src/index.ts";
import { visitResponses, readCapture } from "../../src/read/read-capture.ts";
import { bytesOf, entryOf, harOf } from "../har-file.ts";

const hash = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const files = new Map<string, Uint8Array>([
  [`${hash}.html`, new TextEncoder().encode("\u{feff}<p>–</p>")],
  [`${hash}.png`, Uint8Array.of(0x89, 0x50, 0xff, 0)],
  [hash, new TextEncoder().encode("q=1")],
]);
const requestedNames: string[] = [];
const bodyOf = async (name: string): Promise<Uint8Array | null> => {
  requestedNames.push(name);
  return files.get(name) ?? null;
};

function withBody(content: unknown, postData?: unknown): Record<string, unknown> {
  return entryOf("https://shop.example/", { request: { postData }, response: { content } });
}

test("bodies in separate files are read as if they were part of the capture", async () => {
  const har = harOf([
    withBody({ mimeType: "text/html", _file: `${hash}.html` }),
    withBody({ mimeType: "image/png", _file: `${hash}.png` }),
    withBody({ mimeType: "text/html", text: "own" }, { mimeType: "text/plain", text: "", _file: hash }),
  ]);
  const { entries, findings } = await readCapture(bytesOf(har), { bodyOf });
  expect(findings).toEqual([]);
  expect(entries.map(({ response }) => response?.body)).toEqual([
    { text: "\u{feff}<p>–</p>" },
    { base64: "iVD/AA==" },
    { text: "own" },
  ]);
  expect(entries[2]?.request.postData?.text).toBe("q=1");
});

test("request bodies are read even if response bodies are not wanted", async () => {
  requestedNames.length = 0;
  const har = harOf([withBody({ _file: `${hash}.html` }, { mimeType: "text/plain", _file: hash })]);
  const { entries } = await readCapture(bytesOf(har), { bodyOf, bodies: false });
  expect(entries[0]?.request.postData?.text).toBe("q=1");
  expect(requestedNames).toEqual([hash]);
});

test.each([
  "../secret.txt",
  "/etc/passwd",
  `${hash}/../x`,
  `..\\${hash}.html`,
  `${hash}.h/tml`,
  `${hash.toUpperCase()}.html`,
  `${hash}.html\n`,
  `${hash}..html`,
  `x${hash}`,
  "",
  "har.har",
])("%j is not a valid body file name, so no file is read", async (name) => {
  requestedNames.length = 0;
  const { entries, findings } = await readCapture(bytesOf(harOf([withBody({ _file: name })])), { bodyOf });
  expect(requestedNames).toEqual([]);
  expect(entries[0]?.response?.body).toBeNull();
  expect(findings).toEqual([
    {
      path: "$.log.entries[0].response.content._file",
      problem: "is not a valid body file name; body skipped",
    },
  ]);
});

test("a missing body file is reported as a finding", async () => {
  const har = bytesOf(harOf([withBody({ _file: `${hash}.css` })]));
  const expected = [
    { path: "$.log.entries[0].response.content._file", problem: "names a body file that does not exist" },
  ];
  expect((await readCapture(har, { bodyOf })).findings).toEqual(expected);
  expect((await readCapture(har)).findings).toEqual(expected);
});

async function responsesOf(entries: readonly unknown[]): Promise<CaptureEntry[]> {
  const seen: CaptureEntry[] = [];
  await visitResponses(bytesOf(harOf(entries)), (entry) => seen.push(entry), { bodyOf });
  return seen;
}

test("responses are visited one by one, with the bodies that may contain values", async () => {
  const seen = await responsesOf([
    withBody({ mimeType: "text/html; charset=utf-8", text: "<html>" }),
    withBody({ mimeType: "image/png", text: "aGk=", encoding: "base64" }),
    withBody({ mimeType: "image/svg+xml", text: "<svg>" }),
    withBody({ mimeType: "font/woff2", text: "aGk=", encoding: "base64" }),
    withBody({ mimeType: "application/json", _file: `${hash}.html` }),
    withBody({ text: "{}" }),
    "no entry",
    withBody({ mimeType: "text/css", text: "p {}" }),
  ]);
  expect(seen.map(({ index, response }) => [index, response?.body])).toEqual([
    [0, { text: "<html>" }],
    [1, null],
    [2, { text: "<svg>" }],
    [3, null],
    [4, { text: "\u{feff}<p>–</p>" }],
    [5, { text: "{}" }],
    [7, null],
  ]);
});

test("an entry is the same in both passes, except for its body", async () => {
  const har = [withBody({ mimeType: "text/html", text: "<html>" }), { request: 1 }, withBody(null)];
  const first = await readCapture(bytesOf(harOf(har)), { bodies: false });
  const second = await responsesOf(har);
  const withoutBody = second.map((entry) => ({
    ...entry,
    response: entry.response === null ? null : { ...entry.response, body: null },
  }));
  expect(withoutBody).toEqual(first.entries);
});
