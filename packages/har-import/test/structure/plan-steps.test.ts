import { expect, test } from "vitest";
import { importField } from "../field-capture.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { callOf, documentOf, pageOf, redirectOf, stepsOf, visitOf } from "./recorded-visits.ts";

test("calls after the load are steps of their own, and think time is from an end to the next start", () => {
  const steps = planSteps(
    [pageOf("1", { title: "Shop", at: 0, loadedAfter: 200 })],
    [
      documentOf("/", { at: 0, took: 100, pageRef: "1" }),
      visitOf("/logo.png", { at: 110, took: 80, pageRef: "1" }),
      callOf("/api/boot", { at: 150, took: 150, pageRef: "1" }),
      callOf("/api/cart", { at: 2_300, took: 50, pageRef: "1", method: "POST" }),
      callOf("/api/cart", { at: 2_360, took: 40, pageRef: "1" }),
      callOf("/api/cart", { at: 5_000, took: 40, pageRef: "1", method: "POST" }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["page", "Shop", "/", "/logo.png", "/api/boot"],
    ["group", "POST /api/cart", "/api/cart", "/api/cart"],
    ["group", "POST /api/cart 2", "/api/cart"],
  ]);
  expect(steps.map(({ recordedMs, thinkAfterMs }) => [recordedMs, thinkAfterMs])).toEqual([
    [300, 2_000],
    [100, 2_600],
    [40, 0],
  ]);
  expect(steps[1]?.waves.flatMap(({ visits }) => visits.map(({ recorded }) => recorded))).toEqual([
    { startMs: 0, endMs: 50 },
    { startMs: 60, endMs: 100 },
  ]);
});

test("a call at once after the load is a step, an icon at once after it is none, a late picture is", () => {
  const steps = planSteps(
    [pageOf("1", { at: 0, loadedAfter: 150 })],
    [
      documentOf("/", { at: 0, took: 100, pageRef: "1" }),
      visitOf("/favicon.ico", { at: 160, took: 10, pageRef: "1" }),
      callOf("/api/me", { at: 180, took: 10, pageRef: "1" }),
      visitOf("/late.png", { at: 700, took: 10, pageRef: "1" }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/", "/favicon.ico"],
    ["group", "GET /api/me", "/api/me"],
    ["group", "GET /late.png", "/late.png"],
  ]);
});

test("until the browser says that a page is loaded, it is one page, however long nothing happens", () => {
  const visits = [
    documentOf("/", { at: 0, took: 100, pageRef: "1" }),
    visitOf("/late.png", { at: 1_500, took: 10, pageRef: "1" }),
    callOf("/api/me", { at: 2_900, took: 10, pageRef: "1", method: "POST" }),
    callOf("/api/cart", { at: 3_600, took: 10, pageRef: "1" }),
  ];
  expect(stepsOf(planSteps([pageOf("1", { at: 0, loadedAfter: 3_000 })], visits))).toEqual([
    ["page", "home", "/", "/late.png", "/api/me"],
    ["group", "GET /api/cart", "/api/cart"],
  ]);
});

const byApp = { type: "script", url: "https://shop.test/app.js" };

test.each([
  ["a call of its script at once after the load is of the page", "GET", 180, byApp, 1],
  [
    "so is that of a script in the browser's cache",
    "GET",
    180,
    { type: "script", url: "https://cdn.test/x.js" },
    1,
  ],
  ["a call of nobody's is not", "GET", 180, null, 2],
  ["nor is what its script changes", "POST", 290, byApp, 2],
  ["nor a call that comes later", "GET", 700, byApp, 2],
] as const)("%s", (_what, method, at, initiator, count) => {
  const visits = [
    documentOf("/", { at: 0, took: 100, pageRef: "1" }),
    visitOf("/app.js", { at: 110, took: 50, type: "script", pageRef: "1" }),
    callOf("/api/me", { at, took: 10, pageRef: "1", method, initiator }),
  ];
  expect(planSteps([pageOf("1", { at: 0, loadedAfter: 160 })], visits)).toHaveLength(count);
});

test("what scripts of other sites lead to belongs to the page while one after the other runs", () => {
  const elsewhere = (name: string) => `https://cdn.test/${name}.js`;
  const script = (name: string, at: number, took: number, by: string | null) =>
    visitOf(elsewhere(name), {
      at,
      took,
      type: "script",
      initiator: by === null ? null : { type: "script", url: elsewhere(by) },
    }).entry;
  const others = [script("a", 120, 600, null), script("b", 750, 700, "a"), script("c", 9_000, 300, null)];
  const by = (name: string) => ({ initiator: { type: "script", url: elsewhere(name) } });
  const visits = [
    documentOf("/", { at: 0, took: 100 }),
    callOf("/api/items", { at: 1_500, took: 20, ...by("b") }),
    callOf("/api/more", { at: 4_000, took: 20, ...by("b") }),
    callOf("/api/chat", { at: 9_320, took: 20, ...by("c") }),
  ];
  expect(stepsOf(planSteps([], visits, others))).toEqual([
    ["page", "home", "/", "/api/items"],
    ["group", "GET /api/more", "/api/more"],
    ["group", "GET /api/chat", "/api/chat"],
  ]);
  expect(planSteps([], visits)).toHaveLength(4);
});

test("a page that waits for a script of another site is imported as one", async () => {
  const { model } = await importField("third");
  expect(
    model.steps.map(({ kind, name, waves }) => [kind, name, waves.map(({ afterMs }) => afterMs)]),
  ).toEqual([["page", "home", [0, 900, 560]]]);
});

test("what starts while something still runs belongs to it", () => {
  const steps = planSteps(
    [pageOf("1", { at: 0, loadedAfter: 100 })],
    [
      documentOf("/", { at: 0, took: 100, pageRef: "1" }),
      visitOf("/video", { at: 90, took: 3_000, pageRef: "1" }),
      callOf("/api/me", { at: 2_000, took: 10, pageRef: "1" }),
    ],
  );
  expect(stepsOf(steps)).toEqual([["page", "home", "/", "/video", "/api/me"]]);
});

test("where nobody says when a page was loaded, half a second of nothing ends it", () => {
  const steps = planSteps(
    [],
    [
      documentOf("/", { at: 0, took: 100 }),
      callOf("/api/a", { at: 400, took: 10 }),
      callOf("/api/b", { at: 910, took: 10 }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/", "/api/a"],
    ["group", "GET /api/b", "/api/b"],
  ]);
});

test.each(["POST", "PUT", "PATCH", "DELETE"])("a %s after everything was answered is a click", (method) => {
  const visits = [
    documentOf("/", { at: 0, took: 100 }),
    callOf("/api/a", { at: 300, took: 10 }),
    callOf("/api/a", { at: 420, took: 10, method }),
    callOf("/api/b", { at: 500, took: 10, method }),
  ];
  const steps = planSteps([], visits);
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/", "/api/a"],
    ["group", `${method} /api/a`, "/api/a", "/api/b"],
  ]);
  expect(steps[0]?.thinkAfterMs).toBe(110);
});

test("a form that is sent while the page still loads belongs to the load", () => {
  const visits = [
    documentOf("/", { at: 0, took: 100, pageRef: "1" }),
    callOf("/api/a", { at: 300, took: 10, method: "POST", pageRef: "1" }),
  ];
  expect(planSteps([pageOf("1", { at: 0, loadedAfter: 320 })], visits)).toHaveLength(1);
});

test("without pages each document begins one, also the answer to a form", () => {
  const steps = planSteps(
    [],
    [
      documentOf("/", { at: 0 }),
      visitOf("/a.png", { at: 20 }),
      documentOf("/login", { at: 3_000, method: "POST" }),
      visitOf("/b.png", { at: 3_020 }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/", "/a.png"],
    ["page", "login", "/login", "/b.png"],
  ]);
});

test("a tab that is one page in the file is cut at its documents; the title is the last one's", () => {
  const inTab = { pageRef: "tab" };
  const steps = planSteps(
    [pageOf("tab", { title: "Basket", at: 0, loadedAfter: 50 })],
    [
      documentOf("/", { at: 0, ...inTab }),
      callOf("/api/boot", { at: 60, ...inTab }),
      documentOf("/product/1", { at: 2_000, ...inTab }),
      documentOf("/cart", { at: 4_000, ...inTab }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/", "/api/boot"],
    ["page", "product/id", "/product/1"],
    ["page", "Basket", "/cart"],
  ]);
});

test("frames are no pages: the header says so, Chrome's parser asked for them, or the page was still loading", () => {
  const fetched = (destination: string) => ({ headers: [["Sec-Fetch-Dest", destination]] as const });
  const told = [
    visitOf("/", { at: 0, mimeType: "text/html", ...fetched("document") }),
    documentOf("/frame", { at: 900, ...fetched("iframe") }),
  ];
  expect(stepsOf(planSteps([], told)).map(([kind]) => kind)).toEqual(["page", "group"]);
  const parsed = [
    documentOf("/", { at: 0, initiator: { type: "other", url: null } }),
    documentOf("/frame", { at: 20, initiator: { type: "parser", url: "https://shop.test/" } }),
  ];
  expect(stepsOf(planSteps([], parsed))).toEqual([["page", "home", "/", "/frame"]]);
  const html = { mimeType: "text/html; charset=utf-8" };
  const guessed = [
    visitOf("/", { at: 0, took: 50, ...html }),
    visitOf("/big.png", { at: 55, took: 200 }),
    visitOf("/frame", { at: 60, ...html }),
    visitOf("/next", { at: 400, ...html }),
  ];
  expect(stepsOf(planSteps([], guessed))).toEqual([
    ["page", "home", "/", "/big.png", "/frame"],
    ["page", "next", "/next"],
  ]);
});

test("where nothing is named, a document is what accepts HTML and gets it; a script's fragment and a download are none", () => {
  const html = { mimeType: "text/html", took: 10 };
  const steps = planSteps(
    [],
    [
      visitOf("/", { at: 0, ...html, headers: [["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"]] }),
      visitOf("/old", { at: 1_000, ...html, headers: [["X-Requested-With", "XMLHttpRequest"]] }),
      visitOf("/fragment", { at: 2_000, ...html, headers: [["Accept", "*/*"]] }),
      visitOf("/put", { at: 3_000, ...html, method: "PUT" }),
      visitOf("/report", { at: 4_000, ...html, answerHeaders: [["content-disposition", "attachment; x"]] }),
      visitOf("/raw", {
        at: 5_000,
        mimeType: "application/vnd.mozilla.json.view",
        headers: [["accept", "text/html,application/xhtml+xml"]],
      }),
    ],
  );
  expect(stepsOf(steps).map(([kind, name]) => [kind, name])).toEqual([
    ["page", "home"],
    ["group", "GET /old"],
    ["group", "GET /fragment"],
    ["group", "PUT /put"],
    ["group", "GET /report"],
    ["page", "raw"],
  ]);
});

test("without any document what was called is groups, cut where nothing happened for half a second", () => {
  const steps = planSteps(
    [],
    [
      callOf("/api/login", { at: 0, took: 100, method: "POST" }),
      callOf("/api/me", { at: 300, took: 100 }),
      callOf("/api/items?page=2", { at: 1_000, took: 100 }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["group", "POST /api/login", "/api/login", "/api/me"],
    ["group", "GET /api/items", "/api/items?page=2"],
  ]);
});

test("without dates nothing is cut but at documents, and nothing is timed", () => {
  const undated = { at: null, took: null };
  const steps = planSteps(
    [pageOf("a", { title: "Perform login" }), pageOf("b")],
    [
      callOf("/login", { ...undated, pageRef: "a" }),
      callOf("/me", { ...undated, pageRef: "a" }),
      documentOf("/", { ...undated, pageRef: "b" }),
      documentOf("/next", { ...undated, pageRef: "b" }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["group", "Perform login", "/login", "/me"],
    ["page", "home", "/"],
    ["page", "next", "/next"],
  ]);
  expect(steps.map(({ recordedMs, thinkAfterMs }) => [recordedMs, thinkAfterMs])).toEqual([
    [null, 0],
    [null, 0],
    [null, 0],
  ]);
  expect(steps[0]?.waves[0]?.visits[0]?.recorded).toBeNull();
});

test("what an old page still sends stays with it, in the order of time, and nobody thinks for less than nothing", () => {
  const steps = planSteps(
    [pageOf("1", { at: 0, loadedAfter: 60 }), pageOf("2", { at: 3_000, loadedAfter: 300 })],
    [
      documentOf("/", { at: 0, took: 50, pageRef: "1" }),
      documentOf("/next", { at: 3_000, took: 200, pageRef: "2" }),
      callOf("/beacon", { at: 3_010, took: 20, method: "POST", pageRef: "1" }),
      visitOf("/a.png", { at: 3_210, took: 20, pageRef: "2" }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["page", "home", "/"],
    ["page", "next", "/next", "/a.png"],
    ["group", "POST /beacon", "/beacon"],
  ]);
  expect(steps.map(({ thinkAfterMs }) => thinkAfterMs)).toEqual([2_950, 0, 0]);
});

test("pages that lie in the file in another order are walked as they were", () => {
  const steps = planSteps(
    [pageOf("late", { at: 5_000 }), pageOf("early", { at: 0 })],
    [documentOf("/early", { at: 0, pageRef: "early" }), documentOf("/late", { at: 5_000, pageRef: "late" })],
  );
  expect(stepsOf(steps).map(([, name]) => name)).toEqual(["early", "late"]);
});

test("redirects through another site belong to the page that they led to, if they led there at once", () => {
  const visits = [
    redirectOf("/start", "https://login.test/", { at: 0, took: 20, type: "document" }),
    documentOf("/back", { at: 400, took: 20 }),
    redirectOf("/leave", "https://login.test/", { at: 5_000, took: 20, type: "document" }),
    documentOf("/after-login", { at: 30_000, took: 20 }),
  ];
  const steps = planSteps([], visits);
  expect(stepsOf(steps)).toEqual([
    ["page", "back", "/start", "/back"],
    ["page", "leave", "/leave"],
    ["page", "after-login", "/after-login"],
  ]);
  // Who types at another site for a second does not wait for a page.
  const typed = planSteps([], [...visits.slice(0, 1), documentOf("/back", { at: 1_100, took: 20 })]);
  expect(stepsOf(typed).map(([, name]) => name)).toEqual(["start", "back"]);
  expect(typed[0]?.thinkAfterMs).toBe(1_080);
  expect(steps[0]?.waves.map(({ visits: wave }) => wave.length)).toEqual([1, 1]);
});

test("what comes shortly before a document comes after it; what came long before is a group", () => {
  const steps = planSteps(
    [],
    [
      callOf("/api/old", { at: 0, took: 20 }),
      visitOf("/preloaded.css", { at: 1_990, took: 20 }),
      documentOf("/", { at: 2_000, took: 50 }),
    ],
  );
  expect(stepsOf(steps)).toEqual([
    ["group", "GET /api/old", "/api/old"],
    ["page", "home", "/", "/preloaded.css"],
  ]);
});

test("a request without date or duration is kept, and the rest is timed", () => {
  const steps = planSteps(
    [],
    [
      documentOf("/", { at: 0, took: 100 }),
      visitOf("/a.png", { at: 110, took: null }),
      visitOf("/b.png", { at: 120, took: 80 }),
    ],
  );
  expect(steps[0]?.recordedMs).toBe(200);
  expect(steps[0]?.waves.flatMap(({ visits }) => visits.map(({ recorded }) => recorded?.endMs))).toEqual([
    100,
    undefined,
    200,
  ]);
});
