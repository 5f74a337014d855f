import { expect, test } from "vitest";

import { readResponseHead } from "../../src/http1/response-head.ts";
import { readFields } from "../../src/http2/response-fields.ts";
import type { ErrorHeader } from "../../src/transport/error-header.ts";
import { UndiciResponseHead } from "../../src/undici/undici-head.ts";

/** Returns the error header that each kind of head finds among these fields: HTTP/1.1, HTTP/2, and undici's two. */
function errorHeadersOf(fields: readonly (readonly [string, string])[]): (ErrorHeader | null)[] {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const lower = fields.map(([name, value]) => [name.toLowerCase(), value] as const);
  const block = readFields([":status", "200", ...lower.flat()]);
  return [
    readResponseHead(`HTTP/1.1 200 OK\r\n${lines}`, "GET"),
    block.kind === "head" ? block.head : null,
    new UndiciResponseHead(
      200,
      "OK",
      fields.flat().map((text) => Buffer.from(text)),
    ),
    new UndiciResponseHead(200, "", Object.fromEntries(lower)),
  ].map((head) => head?.errorHeader ?? null);
}

const unavailable = { text: "grpc-status: 14 (UNAVAILABLE)", cause: "UNAVAILABLE" };

test.each<{ fields: [string, string][]; found: ErrorHeader | null }>([
  { fields: [["grpc-status", "14"]], found: unavailable },
  { fields: [["content-type", "application/grpc"], ["Grpc-Status", "14"], ["grpc-message", "no"]], found: unavailable }, // prettier-ignore
  { fields: [["grpc-status", "0"]], found: null },
  { fields: [["access-control-expose-headers", "grpc-status"], ["x-answer", "14"]], found: null }, // prettier-ignore
  { fields: [["content-length", "0"]], found: null },
  {
    fields: [["x-amzn-ErrorType", "NotFoundException:http://internal.example/"]],
    found: { text: "x-amzn-errortype: NotFoundException", cause: null },
  },
  {
    fields: [["X-Amz-Function-Error", "Unhandled"]],
    found: { text: "x-amz-function-error: Unhandled", cause: null },
  },
  { fields: [["x-amz-function-error", ""]], found: null },
])("every kind of head finds the same header that reports a failure: $fields", ({ fields, found }) => {
  expect(errorHeadersOf(fields)).toEqual([found, found, found, found]);
});
