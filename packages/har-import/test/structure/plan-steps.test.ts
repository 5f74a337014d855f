import { expect, test } from "vitest";
import { importField } from "../field-capture.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { callOf, documentOf, pageOf, redirectOf, stepsOf, visitOf } from "./recorded-visits.ts";

test("calls after a page load are separate steps, and think time is from one end to the next start", () => {
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

test("right after a page load, a call is a separate step but an icon is not; a later image is", () => {
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

test("until the recorded load event, a page is one step, however long it is idle", () => {
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
  ["a call by the page's script right after the load belongs to the page", "GET", 180, byApp, 1],
  [
    "a call by a cached script right after the load belongs to the page",
    "GET",
    180,
    { type: "script", url: "https://cdn.test/x.js" },
    1,
  ],
  ["a call without an initiator does not belong to the page", "GET", 180, null, 2],
  ["a POST by the page's script does not belong to the page", "POST", 290, byApp, 2],
  ["a call that comes later does not belong to the page", "GET", 700, byApp, 2],
] as const)("%s", (_what, method, at, initiator, count) => {
  const visits = [
    documentOf("/", { at: 0, took: 100, pageRef: "1" }),
    visitOf("/app.js", { at: 110, took: 50, type: "script", pageRef: "1" }),
    callOf("/api/me", { at, took: 10, pageRef: "1", method, initiator }),
  ];
  expect(planSteps([pageOf("1", { at: 0, loadedAfter: 160 })], visits)).toHaveLength(count);
});

test("calls by third-party scripts belong to the page as long as the scripts load without a gap", () => {
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

test("a page that waits for a third-party script is imported as one page", async () => {
  const { model } = await importField("third");
  expect(
    model.steps.map(({ kind, name, waves }) => [kind, name, waves.map(({ afterMs }) => afterMs)]),
  ).toEqual([["page", "home", [0, 900, 560]]]);
});

test("a request that starts while another is running belongs to the same step", () => {
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

test("without a recorded load event, half a second of idleness ends a page", () => {
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

test.each(["POST", "PUT", "PATCH", "DELETE"])(
  "a %s after all responses have arrived begins a step, like a click",
  (method) => {
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
  },
);

test("a form that is sent during a page load belongs to the page", () => {
  const visits = [
    documentOf("/", { at: 0, took: 100, pageRef: "1" }),
    callOf("/api/a", { at: 300, took: 10, method: "POST", pageRef: "1" }),
  ];
  expect(planSteps([pageOf("1", { at: 0, loadedAfter: 320 })], visits)).toHaveLength(1);
});

test("without recorded pages, each document begins a page, including the response to a form", () => {
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

test("a tab recorded as one page is split at its documents, and its title goes to the last one", () => {
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

test("frames are not pages; their header, their initiator or the ongoing page load identifies them", () => {
  const fetched = (destination: string) => ({ headers: [["Sec-Fetch-Dest", destination]] as const });
  const withHeader = [
    visitOf("/", { at: 0, mimeType: "text/html", ...fetched("document") }),
    documentOf("/frame", { at: 900, ...fetched("iframe") }),
  ];
  expect(stepsOf(planSteps([], withHeader)).map(([kind]) => kind)).toEqual(["page", "group"]);
  const byParser = [
    documentOf("/", { at: 0, initiator: { type: "other", url: null } }),
    documentOf("/frame", { at: 20, initiator: { type: "parser", url: "https://shop.test/" } }),
  ];
  expect(stepsOf(planSteps([], byParser))).toEqual([["page", "home", "/", "/frame"]]);
  const html = { mimeType: "text/html; charset=utf-8" };
  const duringLoad = [
    visitOf("/", { at: 0, took: 50, ...html }),
    visitOf("/big.png", { at: 55, took: 200 }),
    visitOf("/frame", { at: 60, ...html }),
    visitOf("/next", { at: 400, ...html }),
  ];
  expect(stepsOf(planSteps([], duringLoad))).toEqual([
    ["page", "home", "/", "/big.png", "/frame"],
    ["page", "next", "/next"],
  ]);
});

test("without resource types, a document is a request that accepts and gets HTML, but not a fragment or download", () => {
  const html = { mimeType: "text/html", took: 10 };
  const steps = planSteps(
    [],
    [
      visitOf("/", { at: 0, ...html, headers: [["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"]] }),
      visitOf("/old", { at: 1_000, ...html, headers: [["X-Requested-With", "XMLHttpRequest"]] }),
      visitOf("/fragment", { at: 2_000, ...html, headers: [["Accept", "*/*"]] }),
      visitOf("/put", { at: 3_000, ...html, method: "PUT" }),
      visitOf("/report", { at: 4_000, ...html, responseHeaders: [["content-disposition", "attachment; x"]] }),
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

test("without any document, calls become groups, which end after half a second of idleness", () => {
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

test("without dates, steps are split only at documents, and nothing is timed", () => {
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

test("a late request from an old page is a separate step in time order, and think time is never negative", () => {
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

test("pages are replayed in order of time, whatever their order in the file", () => {
  const steps = planSteps(
    [pageOf("late", { at: 5_000 }), pageOf("early", { at: 0 })],
    [documentOf("/early", { at: 0, pageRef: "early" }), documentOf("/late", { at: 5_000, pageRef: "late" })],
  );
  expect(stepsOf(steps).map(([, name]) => name)).toEqual(["early", "late"]);
});

test("redirects through another site belong to the page that they led to, if they led there quickly", () => {
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
  // After a second at another site, the user has typed something there: this is not one page load.
  const typed = planSteps([], [...visits.slice(0, 1), documentOf("/back", { at: 1_100, took: 20 })]);
  expect(stepsOf(typed).map(([, name]) => name)).toEqual(["start", "back"]);
  expect(typed[0]?.thinkAfterMs).toBe(1_080);
  expect(steps[0]?.waves.map(({ visits: wave }) => wave.length)).toEqual([1, 1]);
});

test("a request shortly before a document moves after it; one long before is a group", () => {
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

test("a request without a duration is kept, and the others are timed", () => {
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
