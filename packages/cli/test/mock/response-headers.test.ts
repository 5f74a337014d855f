import { expect, test } from "vitest";
import { captureOf } from "./capture-of.ts";
import { fetchFrom, withMock } from "./with-mock.ts";

type Headers = readonly (readonly [name: string, value: string])[];

async function servedHeaders(headers: Headers, mimeType = ""): Promise<globalThis.Headers> {
  let served = new Headers();
  await withMock(captureOf([{ response: { headers, mimeType } }]), async (mock) => {
    const response = await fetchFrom(mock, "/");
    await response.text();
    served = response.headers;
  });
  return served;
}

test.each([
  "Set-Cookie2",
  "Strict-Transport-Security",
  "Alt-Svc",
  "Content-Security-Policy",
  "Trailer",
  ":status",
  "status",
  "Content-Encoding",
  "Transfer-Encoding",
  "GET /x",
  "",
])("%s is not served", async (name) => {
  const served = await servedHeaders([[name, "gzip"]]);
  // Headers cannot be asked for a name that is not valid.
  expect([...served.values()]).not.toContain("gzip");
});

test("the length, date and connection headers describe the mock's own response", async () => {
  const served = await servedHeaders([
    ["Content-Length", "99999"],
    ["Connection", "close"],
    ["Date", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ]);
  expect(served.get("content-length")).toBe("5");
  expect(served.get("connection")).toBe("keep-alive");
  expect(served.get("date")).not.toContain("1970");
});

test("all other headers are served as recorded, repeated ones included; headers that cannot be sent are dropped", async () => {
  const served = await servedHeaders([
    ["Cache-Control", "max-age=60"],
    ["Vary", "Accept"],
    ["Vary", "Origin"],
    ["X-Wide", "\u{6771}\u{4eac}"],
    ["X-Break", "a\u{0}b"],
  ]);
  expect(served.get("cache-control")).toBe("max-age=60");
  expect(served.get("vary")).toBe("Accept, Origin");
  expect(served.get("x-wide")).toBeNull();
  expect(served.get("x-break")).toBeNull();
});

test("the content type comes from the header, then from the recorded content; without both there is none", async () => {
  expect((await servedHeaders([["content-type", "text/css"]], "text/html")).get("content-type")).toBe(
    "text/css",
  );
  expect((await servedHeaders([], "text/html")).get("content-type")).toBe("text/html");
  expect((await servedHeaders([], "x-unknown")).get("content-type")).toBeNull();
});
