import { expect, test } from "vitest";
import type { CapturedRequest } from "../../src/index.ts";
import { documentOf, entryOf, importEntries } from "../har-file.ts";

async function requestOf(url: string, request: Record<string, unknown> = {}): Promise<CapturedRequest> {
  const { pages } = await importEntries([entryOf(url, { request })]);
  return pages[0]!.requests[0]!;
}

async function sentOf(
  postData: unknown,
  headers: unknown = [],
): Promise<[body: CapturedRequest["body"], type: string | null]> {
  const { body, headers: kept } = await requestOf("https://shop.test/", {
    method: "POST",
    postData,
    headers,
  });
  return [body, kept.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null];
}

test.each([
  ["https://SHOP.test:443/a/../b?q=1#top", "https://shop.test/b?q=1"],
  ["https://jane:secret@shop.test/", "https://shop.test/"],
  ["https://shop.test", "https://shop.test/"],
  ["http://shop.test:8080/ü?ü", "http://shop.test:8080/%C3%BC?%C3%BC"],
  ["https://shop.test/{id}?x={%22a%22:1}", "https://shop.test/%7Bid%7D?x={%22a%22:1}"],
  ["https://shop.test/?b=2&a=1&b=3", "https://shop.test/?b=2&a=1&b=3"],
])("%s is requested as %s", async (written, url) => {
  expect((await requestOf(written, { queryString: [{ name: "not", value: "in the URL" }] })).url).toBe(url);
});

test("methods are sent in capitals where HTTP knows them, any other as it is", async () => {
  expect((await requestOf("https://shop.test/", { method: "post" })).method).toBe("POST");
  expect((await requestOf("https://shop.test/", { method: "M-SEARCH" })).method).toBe("M-SEARCH");
});

test.each(["GET", "HEAD", "get"])(
  "a body that a recorder gives to a %s is dropped, the request is not",
  async (method) => {
    const request = await requestOf("https://shop.test/", {
      method,
      postData: { mimeType: "", text: "x", params: [] },
    });
    expect(request.body).toBeNull();
  },
);

test("text wins over params, base64 stays base64, and nothing is no body", async () => {
  const params = [{ name: "a", value: "1" }];
  expect(await sentOf({ mimeType: "text/plain", text: "hi", params })).toEqual([
    { text: "hi" },
    "text/plain",
  ]);
  expect(await sentOf({ mimeType: "image/png", text: "aGk=", encoding: "base64" })).toEqual([
    { base64: "aGk=" },
    "image/png",
  ]);
  expect(await sentOf({ mimeType: "image/png", text: "<no>", encoding: "base64" })).toEqual([
    { text: "<no>" },
    "image/png",
  ]);
  expect(await sentOf({ mimeType: "text/plain", text: "", params: [] })).toEqual([null, null]);
  for (const nothing of [undefined, null, "a=1", 7, []]) expect(await sentOf(nothing)).toEqual([null, null]);
});

test("the content type is the header's, else the body's, else what the body is made as", async () => {
  const header = [{ name: "Content-Type", value: "application/json; charset=utf-8" }];
  expect(await sentOf({ mimeType: "text/plain", text: "{}" }, header)).toEqual([
    { text: "{}" },
    "application/json; charset=utf-8",
  ]);
  expect(await sentOf({ text: "x" })).toEqual([{ text: "x" }, "application/octet-stream"]);
  expect(await sentOf({ params: [{ name: "a", value: "1" }] })).toEqual([
    { text: "a=1" },
    "application/x-www-form-urlencoded",
  ]);
  expect(await sentOf({ mimeType: "bad\u{0}type", text: "x" })).toEqual([{ text: "x" }, null]);
});

test("fields of a form are encoded once, whether a recorder wrote them decoded or as sent", async () => {
  const mimeType = "application/x-www-form-urlencoded";
  const encode = async (name: string, value: string) =>
    (await sentOf({ mimeType, params: [{ name, value }] }))[0];
  expect(await encode("full name", "Zoë & Co=100%")).toEqual({ text: "full+name=Zo%C3%AB+%26+Co%3D100%25" });
  expect(await encode("field%5B1%5D", "value%5B1%5D")).toEqual({ text: "field%5B1%5D=value%5B1%5D" });
  expect(await encode("a+b", "lone \ud800")).toEqual({ text: "a%2Bb=lone+%EF%BF%BD" });
});

test("fields of a multipart form are put between boundaries: the recorded one, else one that no field has", async () => {
  const params = [
    { name: 'a"b', value: "1" },
    { name: "file", value: "x,y", fileName: "a.csv", contentType: "text/csv" },
  ];
  const parts = (boundary: string) =>
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="a%22b"',
      "",
      "1",
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="a.csv"',
      "Content-Type: text/csv",
      "",
      "x,y",
      `--${boundary}--`,
      "",
    ].join("\r\n");
  const recorded = "multipart/form-data; boundary=---boundary";
  expect(await sentOf({ mimeType: recorded, params })).toEqual([{ text: parts("---boundary") }, recorded]);
  const ours = "multipart/form-data; boundary=----bearhug";
  expect(await sentOf({ mimeType: "multipart/form-data", params })).toEqual([
    { text: parts("----bearhug") },
    ours,
  ]);
  const tricky = [{ name: "a", value: "----bearhug" }];
  expect((await sentOf({ mimeType: "multipart/form-data", params: tricky }))[1]).toBe(
    "multipart/form-data; boundary=----bearhug-1",
  );
});

test("a model is plain data: it survives being sent to a worker", async () => {
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/a", { request: { method: "POST", postData: { text: "x" } } }),
    entryOf("https://cdn.test/"),
  ]);
  expect(structuredClone(model)).toEqual(model);
});
