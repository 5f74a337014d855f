import type { Listening } from "@bearhug/report/local-server/listen";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createRecentIds } from "../../src/demo/script-guard.ts";
import { createSessions } from "../../src/demo/sessions.ts";
import { createSigner } from "../../src/demo/signer.ts";
import { startDemo } from "../../src/demo/start-demo.ts";
import { users } from "../../src/demo/accounts.ts";
import { logIn, openBrowser } from "./browser.ts";

let demo: Listening;
const bugs: unknown[] = [];
beforeAll(async () => {
  demo = await startDemo({ port: 0, host: "127.0.0.1", onBug: (error) => bugs.push(error) });
});
afterAll(async () => {
  await demo.close();
  expect(bugs).toEqual([]);
});

describe("logging in", () => {
  test("redirects to the account, which greets the visitor and must not be cached", async () => {
    const browser = openBrowser(demo.url);
    expect(await logIn(browser, "cleo")).toMatchObject({ status: 303, location: "/account" });
    const account = await browser.get("/account");
    expect(account).toMatchObject({ status: 200, cacheControl: "no-store" });
    expect(account.text).toContain("Hello, cleo");
  });

  test("redirects to the page that the visitor requested before", async () => {
    const browser = openBrowser(demo.url);
    const { status, location } = await browser.get("/products/7/review");
    expect([status, location]).toEqual([302, "/login?next=%2Fproducts%2F7%2Freview"]);
    expect(await logIn(browser, "ada", location!.slice("/login".length))).toMatchObject({
      status: 303,
      location: "/products/7/review",
    });
  });

  test.each(["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nset-cookie: b=c", ""])(
    "never redirects to another site or adds headers: next=%j",
    async (next) => {
      const answer = await logIn(openBrowser(demo.url), "ada", `?next=${encodeURIComponent(next)}`);
      expect(answer).toMatchObject({ status: 303, location: "/account" });
    },
  );

  test("starts a new session, so that the earlier one is not logged in", async () => {
    const browser = openBrowser(demo.url);
    await browser.get("/login");
    const stranger = browser.cookie;
    await logIn(browser);
    expect(browser.cookie).not.toBe(stranger);
    browser.cookie = stranger;
    expect(await browser.get("/account")).toMatchObject({ status: 302, location: "/login?next=%2Faccount" });
  });

  test("with a wrong password gets a 401 with the form, which can be sent again", async () => {
    const browser = openBrowser(demo.url);
    const csrf = (await browser.get("/login")).hidden("csrf");
    const wrong = await browser.post("/login", { user: "ada", password: "jam", csrf, next: "/account" });
    expect([wrong.status, wrong.hidden("csrf")]).toEqual([401, csrf]);
    const right = await browser.post("/login", { user: "ada", password: "honey", csrf, next: "/account" });
    expect(right.status).toBe(303);
  });

  test("with a token of another session or form, or without one, gets a 403", async () => {
    const browser = openBrowser(demo.url);
    await logIn(browser);
    const ofLogout = (await browser.get("/account")).hidden("csrf");
    const ofAnother = (await openBrowser(demo.url).get("/login")).hidden("csrf");
    for (const csrf of [ofLogout, ofAnother, ""]) {
      expect((await browser.post("/login", { user: "ada", password: "honey", csrf })).status).toBe(403);
    }
    const stranger = openBrowser(demo.url);
    expect((await stranger.post("/login", { user: "ada", password: "honey", csrf: ofAnother })).status).toBe(
      403,
    );
  });
});

describe("a session", () => {
  test("ends with the logout, which needs the form's token", async () => {
    const browser = openBrowser(demo.url);
    await logIn(browser);
    const csrf = (await browser.get("/account")).hidden("csrf");
    expect((await browser.post("/logout", { csrf: "" })).status).toBe(403);
    expect(await browser.post("/logout", { csrf })).toMatchObject({ status: 303, location: "/" });
    expect(browser.cookie).toBe("");
  });

  test("is not logged in if another site issued it or its cookie was modified", async () => {
    const again = await startDemo({ port: 0, host: "127.0.0.1" });
    const browser = openBrowser(demo.url);
    await logIn(browser);
    const elsewhere = openBrowser(again.url);
    elsewhere.cookie = browser.cookie;
    expect((await elsewhere.get("/account")).status).toBe(302);
    await again.close();
    browser.cookie = browser.cookie.replace("ada", "brian");
    expect((await browser.get("/account")).status).toBe(302);
  });

  test("lives for an hour", () => {
    let nowMs = 1_800_000_000_000;
    const sessions = createSessions(createSigner(), () => nowMs);
    const session = sessions.begin(users[0]);
    const cookie = `theme=dark; ${sessions.cookieFor(session).split(";", 1)[0]}`;
    nowMs += 3_599_000;
    expect(sessions.readUser({ cookie })).toEqual(session);
    nowMs += 2_000;
    expect(sessions.read({ cookie })).toBeUndefined();
  });

  test.each([
    "session=",
    "session=a",
    "session=.9.x.y",
    "session=ada.9999999999.x.",
    "sessions=1",
    "",
    ";=;",
  ])("is not read from %j", (cookie) => {
    expect(createSessions().read({ cookie })).toBeUndefined();
  });
});

describe("a page's script", () => {
  test("learns who has logged in, and needs the token and a new request id to fill the cart", async () => {
    const browser = openBrowser(demo.url);
    expect(JSON.parse((await browser.get("/api/session")).text)).toEqual({ user: null, csrf: null });
    await logIn(browser, "hiro");
    const { user, csrf } = JSON.parse((await browser.get("/api/session?_=1")).text) as Record<string, string>;
    expect(user).toBe("hiro");
    const cart = (headers: Record<string, string>) => browser.send("/api/cart", { product: 3 }, headers);
    const id = crypto.randomUUID();
    expect((await cart({ "x-csrf-token": csrf!, "x-request-id": id })).status).toBe(201);
    expect((await cart({ "x-csrf-token": csrf!, "x-request-id": id })).status).toBe(409);
    expect((await cart({ "x-csrf-token": csrf! })).status).toBe(400);
    expect((await cart({ "x-csrf-token": `${csrf!}A`, "x-request-id": crypto.randomUUID() })).status).toBe(
      403,
    );
    browser.cookie = "";
    expect((await cart({ "x-csrf-token": csrf!, "x-request-id": crypto.randomUUID() })).status).toBe(401);
  });

  test("cannot use a recent request id again; beyond a limit, the oldest ids are forgotten", () => {
    const isNew = createRecentIds(2);
    expect(["a", "b", "a", "c", "a", "c"].map(isNew)).toEqual([true, true, false, true, true, false]);
  });
});
