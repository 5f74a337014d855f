import fc from "fast-check";

import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { entryOf, harOf, pageOf } from "../har-file.ts";

/** Texts that a capture may contain: arbitrary ones, and attempts to break out of code, markup or paths. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "`${process.exit(1)}`",
    "*/ throw 1 /*",
    '"); process.exit(1); ("',
    "'+alert(1)+'",
    "\\",
    "\\u0022",
    "</script>",
    "\u2028\u2029",
    "\u202e\u2066",
    "\u001b[31m",
    "\ud800",
    "\udc00x",
    "__proto__",
    "constructor",
    "toString",
    "",
    "../../etc/passwd",
    "..",
    ".",
    "//evil.test",
    "%",
    "%2",
    "%E9",
    "%00",
    "+",
    " ",
    "&",
    "=",
    "#",
    "?",
    "a\r\nb",
    "\n",
    "// @ts-nocheck",
    "/* eslint-disable */",
    "await",
    "env",
    "http",
    "0",
    "2",
    "10",
    "-0",
    "1e999",
    "null",
  ),
);

const anyForm = fc
  .array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 4 })
  .chain((fields) =>
    fc.constantFrom(
      new URLSearchParams(fields).toString(),
      fields
        .map(([name, value]) => `${name.replace(/[&=\0]/g, "")}=${value.replace(/[&\0]/g, "")}`)
        .join("&"),
    ),
  );

export const boundary = "----WebKitFormBoundary0123456789abcdef";

const anyMultipart = fc
  .array(fc.tuple(anyText, anyText, fc.option(anyText), fc.constantFrom(null, "text/plain", "image/png")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => {
    const written = parts.map(([name, content, file, type]) => {
      const named = file === null ? "" : `; filename="${escapeQuoted(file)}"`;
      const typed = type === null ? "" : `\r\nContent-Type: ${type}`;
      return `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuoted(name)}"${named}${typed}\r\n\r\n${content}\r\n`;
    });
    return `${written.join("")}--${boundary}--\r\n`;
  });

const anyJson = fc
  .oneof(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(anyText, fc.oneof(anyText, fc.jsonValue())))
  .map((value) => JSON.stringify(value));

/** The type and text of a request body. */
const anyBody = fc.oneof(
  fc.tuple(
    fc.constantFrom("application/x-www-form-urlencoded", "application/x-www-form-urlencoded;charset=UTF-8"),
    anyForm,
  ),
  fc.tuple(fc.constant(`multipart/form-data; boundary=${boundary}`), anyMultipart),
  fc.tuple(fc.constantFrom("application/json", "application/json; charset=utf-8"), anyJson),
  fc.tuple(fc.constantFrom("text/plain", "text/xml", "application/graphql"), anyText),
);

const anyHeader = fc.tuple(
  fc.constantFrom(
    "accept",
    "Accept",
    "accept-language",
    "x-thing",
    "X-Thing",
    "x-other",
    "authorization",
    "__proto__",
    "7",
  ),
  anyText,
);

const anyAddress = fc.tuple(
  fc.constantFrom("https://shop.test", "https://cdn.shop.test:8443", "http://shop.test"),
  fc.array(anyText, { maxLength: 4 }),
  fc.option(anyForm),
);

const anyEntry = fc
  .record({
    address: anyAddress,
    method: fc.constantFrom("GET", "GET", "GET", "POST", "PUT", "DELETE", "PROPFIND", "HEAD"),
    headers: fc.array(anyHeader, { maxLength: 4 }),
    body: fc.option(anyBody),
    status: fc.constantFrom(200, 200, 201, 204, 304, 404, 500),
    responseText: fc.oneof(anyText, anyJson),
    mimeType: fc.constantFrom("text/html", "application/json", "image/png", "text/javascript"),
    startedAfterMs: fc.nat(4000),
    lastsMs: fc.nat(900),
    pageref: fc.constantFrom("p", "q", "none"),
    cookie: fc.option(fc.tuple(anyText, anyText)),
  })
  .map(
    ({
      address: [origin, path, query],
      method,
      headers,
      body,
      status,
      responseText,
      mimeType,
      cookie,
      ...rest
    }) =>
      entryOf(`${origin}/${path.join("/")}${query === null ? "" : `?${query}`}`, {
        startedDateTime: new Date(Date.UTC(2026, 0, 1) + rest.startedAfterMs).toISOString(),
        time: rest.lastsMs,
        pageref: rest.pageref,
        request: {
          method,
          headers: headers.map(([name, value]) => ({ name, value })),
          cookies: cookie === null ? [] : [{ name: cookie[0], value: cookie[1] }],
          ...(body === null ? {} : { postData: { mimeType: body[0], text: body[1], params: [] } }),
        },
        response: { status, content: { size: responseText.length, mimeType, text: responseText } },
      }),
  );

/** A capture with arbitrary texts in all its fields. */
export const anyHar: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(fc.array(anyEntry, { minLength: 1, maxLength: 8 }), anyText, anyText)
  .map(([entries, title, other]) => harOf(entries, [pageOf("p", { title }), pageOf("q", { title: other })]));

function escapeQuoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
