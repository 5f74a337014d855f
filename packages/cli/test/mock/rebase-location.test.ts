import { expect, test } from "vitest";
import { captureOf } from "./capture-of.ts";
import { fetchFrom, withMock } from "./with-mock.ts";

async function locationOf(header: string | null, redirectUrl = ""): Promise<string | null> {
  let location: string | null = null;
  const redirect = {
    status: 302,
    headers: header === null ? [] : [["Location", header] as const],
    redirectUrl,
  };
  const capture = captureOf([
    { url: "https://shop.test/a/b", response: redirect },
    { url: "https://login.test/" },
  ]);
  await withMock(capture, async (mock) => {
    const response = await fetchFrom(mock, "/a/b");
    location = response.headers.get("location")?.replace(mock.url, "MOCK") ?? null;
  });
  return location;
}

test.each([
  ["https://shop.test/c?d=1#e", "MOCK/c?d=1#e"],
  ["https://login.test/in", "MOCK/in"],
  ["/c", "MOCK/c"],
  ["c", "MOCK/a/c"],
  ["//login.test/in", "MOCK/in"],
  ["http://shop.test/c", "http://shop.test/c"],
  ["https://other.test/c", "https://other.test/c"],
  ["https://[broken", "https://[broken"],
])("a redirect to %s leads to %s", async (written, expected) => {
  expect(await locationOf(written)).toBe(expected);
});

test("redirectURL stands in for a Location that is not recorded", async () => {
  expect(await locationOf(null, "https://shop.test/c")).toBe("MOCK/c");
  expect(await locationOf(null, "https://other.test/c")).toBe("https://other.test/c");
  expect(await locationOf(null, "")).toBeNull();
});
