import { writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";

import { anyCharacter } from "../../../../../tools/vitest/any-character.ts";
import { anyUrl } from "../../../../../tools/vitest/any-url.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";

interface Body {
  readonly mimeType: string;
  readonly text: string;
  readonly encoding?: string;
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    "",
    " ",
    "+",
    "%",
    "%20",
    "a b",
    "ä",
    "1.0",
    "null",
    "true",
    "${x}",
    "`",
    "__proto__",
    "\\",
    "\r\n",
    "a=b&c",
    "[1, 2]",
  ),
);

/** The text in any of the encodings that sites use. */
const written = anyText.chain((text) => {
  const wellFormed = text.toWellFormed();
  return fc.constantFrom(
    encodeURIComponent(wellFormed),
    encodeURIComponent(wellFormed).replaceAll("%20", "+"),
    new URLSearchParams([["", wellFormed]]).toString().slice(1),
    encodeURIComponent(wellFormed).toLowerCase(),
  );
});
const name = fc.oneof(written, fc.constantFrom("a", "b", "a[]", "a.b", "a[b]", "q"));
const pair = fc.oneof(
  fc.tuple(name, written).map(([key, value]) => `${key}=${value}`),
  name,
  fc.constantFrom("", "=", "a=b=c", "a==", "x=%zz"),
);
const pairs = fc.array(pair, { maxLength: 5 }).map((all) => all.join("&"));

const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value, null, 2)),
  fc.constantFrom(
    "1.0",
    '{"a":1.0}',
    '{"a":1e5}',
    '{"a":12345678901234567890}',
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '{"a":"\\u00e9"}',
    '{"2":1,"1":2}',
    "[]",
    "{}",
    '""',
    " {} ",
    '{"a":-0}',
    '{"a":"\\/"}',
    '{"a": 1}\n',
  ),
);

const boundary = "----WebKitFormBoundaryabc";
const part = fc.record({
  name: fc.constantFrom("a", "b", "a[]", "0", "ä", "x y"),
  filename: fc.option(fc.constantFrom("", "a.txt", "ä b.png"), { nil: undefined }),
  type: fc.option(fc.constantFrom("text/plain", "application/json", "image/png"), { nil: undefined }),
  value: anyText.map((text) => text.toWellFormed().replaceAll("\0", "")),
});
const multipart = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) =>
  [
    ...parts.map(({ name: field, filename, type, value }) => {
      const file = filename === undefined ? "" : `; filename="${filename}"`;
      const head = `Content-Disposition: form-data; name="${field}"${file}`;
      return `--${boundary}\r\n${head}${type === undefined ? "" : `\r\nContent-Type: ${type}`}\r\n\r\n${value}\r\n`;
    }),
    `--${boundary}--\r\n`,
  ].join(""),
);

const formType = "application/x-www-form-urlencoded";
const bytes = fc.uint8Array({ minLength: 1, maxLength: 30 }).map((all) => Buffer.from(all));
const bytesType = "application/octet-stream";
const body: fc.Arbitrary<Body> = fc.oneof(
  bytes.map((all) => ({ mimeType: bytesType, text: all.toString("base64"), encoding: "base64" })),
  // Chrome writes bytes that are not UTF-8 like this; the zero marks them as binary.
  bytes.map((all) => ({ mimeType: bytesType, text: `\0\xff${all.toString("latin1")}` })),
  json.map((text) => ({
    mimeType: "application/json",
    text: Buffer.from(text.toWellFormed()).toString("base64"),
    encoding: "base64",
  })),
  pairs.map((text) => ({ mimeType: formType, text })),
  pairs.map((text) => ({ mimeType: `${formType};charset=UTF-8`, text })),
  json.map((text) => ({ mimeType: "application/json", text })),
  json.map((text) => ({ mimeType: "application/json; charset=utf-8", text })),
  json.map((text) => ({ mimeType: "text/plain;charset=UTF-8", text })),
  anyText.map((text) => ({ mimeType: "text/plain", text: text.toWellFormed() })),
  anyText.map((text) => ({ mimeType: "application/xml", text: `<a>${text.toWellFormed()}</a>` })),
  multipart.map((text) => ({ mimeType: `multipart/form-data; boundary=${boundary}`, text })),
);

const path = fc.oneof(
  fc.array(written, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`),
  anyUrl({ withQueryParameters: true }).map((url) => url.replace(/^[a-z]+:\/\/[^/?]*/, "")),
);

const request = fc.record({
  method: fc.constantFrom("GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE"),
  path,
  query: fc.option(pairs, { nil: null }),
  body,
});

/** Writes a capture of `count` arbitrary requests to one site, each to its own path. */
export function writeAnyRequests(count: number): string {
  const entries = fc.sample(request, count).map((one, index) => {
    const query = one.query === null ? "" : `${one.path.includes("?") ? "&" : "?"}${one.query}`;
    const hasBody = one.method !== "GET" && one.body.text !== "";
    return {
      startedDateTime: new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString(),
      time: 50,
      _resourceType: "fetch",
      request: {
        method: one.method,
        url: `https://shop.test/r${index}${one.path}${query}`,
        httpVersion: "HTTP/1.1",
        headers: hasBody ? [{ name: "content-type", value: one.body.mimeType }] : [],
        ...(hasBody ? { postData: one.body } : {}),
      },
      response: { status: 200, headers: [], content: { mimeType: "application/json", text: "{}" } },
      timings: { send: 0, wait: 50, receive: 0 },
    };
  });
  const file = join(temporaryFolder(), "any-requests.har");
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", creator: { name: "test" }, entries } }));
  return file;
}
