import type { Listening } from "@bearhug/report/local-server/listen";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { type Browser, logIn, openBrowser } from "./browser.ts";

let demo: Listening;
let browser: Browser;
const bugs: unknown[] = [];
beforeAll(async () => {
  demo = await startDemo({ port: 0, host: "127.0.0.1", onBug: (error) => bugs.push(error) });
  browser = openBrowser(demo.url);
  await logIn(browser);
});
afterAll(async () => {
  await demo.close();
  expect(bugs).toEqual([]);
});

async function submit(
  change: Readonly<Record<string, string>> = {},
): Promise<Awaited<ReturnType<Browser["post"]>>> {
  const form = await browser.get("/products/7/review");
  const fields = { csrf: form.hidden("csrf"), form_id: form.hidden("form_id"), text: "Sticky <b>&" };
  return browser.post("/products/7/reviews", { ...fields, ...change });
}

test("a review gets its own number and page, and the page's script can publish it", async () => {
  const [first, second] = [await submit(), await submit()];
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(first.location).toMatch(/^\/reviews\/[\w-]{59}$/);
  expect(second.location).not.toBe(first.location);
  const page = await browser.get(first.location!);
  const number = /data-review="([^"]*)"/.exec(page.text)![1]!;
  const token = /<meta name="csrf-token" content="([^"]*)">/.exec(page.text)![1]!;
  expect(first.location).toBe(`/reviews/${number}`);
  const publish = (to: string, csrf: string) =>
    browser.send(
      `/api/reviews/${to}/publish`,
      {},
      { "x-csrf-token": csrf, "x-request-id": crypto.randomUUID() },
    );
  const published = await publish(number, token);
  expect([published.status, JSON.parse(published.text)]).toEqual([200, { number, published: true }]);
  expect((await publish(number, "")).status).toBe(403);
  expect((await publish(`${number}x`, token)).status).toBe(404);
});

test("each rendering of the form has its own id, and a token that is valid only for that id", async () => {
  const [one, other] = [await browser.get("/products/7/review"), await browser.get("/products/7/review")];
  expect(one.hidden("form_id")).not.toBe(other.hidden("form_id"));
  expect((await submit({ form_id: other.hidden("form_id") })).status).toBe(403);
  expect((await submit({ csrf: other.hidden("csrf"), form_id: other.hidden("form_id") })).status).toBe(303);
  expect((await submit({ csrf: "" })).status).toBe(403);
  expect((await submit({ text: " " })).status).toBe(422);
});

test("visitors who are not logged in are redirected to the login form; a missing review or product is a 404", async () => {
  const stranger = openBrowser(demo.url);
  const { location } = await submit();
  expect((await stranger.get(location!)).location).toBe(`/login?next=${encodeURIComponent(location!)}`);
  expect((await stranger.post("/products/7/reviews", {})).location).toBe(
    "/login?next=%2Fproducts%2F7%2Freview",
  );
  expect((await stranger.send("/api/reviews/1/publish", {}, {})).status).toBe(401);
  expect((await browser.get("/reviews/1")).status).toBe(404);
  expect((await browser.get("/products/41/review")).status).toBe(404);
  expect((await browser.post("/products/41/reviews", {})).status).toBe(404);
});
