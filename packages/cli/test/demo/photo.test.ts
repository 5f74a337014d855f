import type { Listening } from "@bearhug/report/local-server/listen";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { type Browser, logIn, openBrowser, type Visited } from "./browser.ts";

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

async function upload(csrf: string, photo: Blob | string, by = browser): Promise<Visited> {
  const form = new FormData();
  form.set("csrf", csrf);
  form.set("photo", photo);
  return by.upload("/account/photo", form);
}

const picture = new Blob(["\x89PNG"], { type: "image/png" });

test("an upload is accepted only if it is a picture with the form's csrf token", async () => {
  const csrf = (await browser.get("/account/photo")).hidden("csrf");
  const taken = await upload(csrf, picture);
  expect([taken.status, taken.location]).toEqual([303, "/account"]);
  expect((await upload("", picture)).status).toBe(403);
  expect((await upload(csrf, new Blob(["hello"], { type: "text/plain" }))).status).toBe(422);
  expect((await upload(csrf, "no file")).status).toBe(422);
});

test("a body that is no valid multipart form is refused", async () => {
  const csrf = (await browser.get("/account/photo")).hidden("csrf");
  expect((await browser.post("/account/photo", { csrf })).status).toBe(415);
  const part = 'content-disposition: form-data; name="photo"; filename="a.png"';
  for (const [boundary, body] of [
    ["", "no boundary"],
    ["; boundary=x", "no part"],
    ["; boundary=x", `--x\r\n${part}\r\n\r\nbroken off`],
    [`; boundary=${"x".repeat(300)}`, "no such boundary is allowed"],
  ] as const) {
    const headers = { "content-type": `multipart/form-data${boundary}` };
    expect([body, (await browser.upload("/account/photo", body, headers)).status]).toEqual([body, 415]);
  }
});

test("visitors who are not logged in are redirected to the login form", async () => {
  const stranger = openBrowser(demo.url);
  expect((await stranger.get("/account/photo")).location).toBe("/login?next=%2Faccount%2Fphoto");
  expect((await upload("", picture, stranger)).location).toBe("/login?next=%2Faccount%2Fphoto");
});
