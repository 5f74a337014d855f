import { expect, test } from "vitest";
import { findOwnCookies } from "../../src/request/draft-model.ts";
import type { Visit } from "../../src/visit.ts";
import { visitOf } from "./visit-of.ts";

const cookiesOf = (...cookies: readonly (readonly [string, string])[]) => ({
  cookies: cookies.map(([name, value]) => ({ name, value })),
});
const setting = (...cookies: readonly string[]) => ({
  headers: cookies.map((value) => ({ name: "Set-Cookie", value })),
});
const shown = (visits: readonly Visit[]): string[] =>
  findOwnCookies(visits).map(
    ({ name, origin, value }) => `${origin} ${name}=${value[0]?.kind === "text" ? value[0].text : ""}`,
  );

test("a cookie that the browser had from the start is set once, with its first value", async () => {
  const visits = [
    await visitOf("https://shop.test/", { request: cookiesOf(["sid", "1"], ["lang", "en"]) }),
    await visitOf("https://shop.test/a", { request: cookiesOf(["sid", "2"]) }),
    await visitOf("https://cdn.shop.test/b", { request: cookiesOf(["lang", "en"]) }),
  ];
  expect(shown(visits)).toEqual([
    "https://shop.test sid=1",
    "https://shop.test lang=en",
    "https://cdn.shop.test lang=en",
  ]);
});

test("a cookie that an earlier response or redirect set is not set by the test", async () => {
  const hop = await visitOf("https://shop.test/home", { request: cookiesOf(["a", "1"], ["c", "1"]) });
  const visits = [
    await visitOf("https://shop.test/", { response: setting("a=1; Path=/", " b = 2 ") }, [hop]),
    await visitOf("https://shop.test/x", { request: cookiesOf(["a", "1"], ["b", "2"], ["c", "1"]) }),
  ];
  expect(shown(visits)).toEqual(["https://shop.test c=1"]);
});

test("a cookie that was sent before a response set it was there from the start", async () => {
  const visits = [
    await visitOf("https://shop.test/", { request: cookiesOf(["sid", "old"]), response: setting("sid=new") }),
    await visitOf("https://shop.test/", { request: cookiesOf(["sid", "new"]) }),
  ];
  expect(shown(visits)).toEqual(["https://shop.test sid=old"]);
});
