import { expect, test } from "vitest";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { simulateStep } from "../../src/structure/connections.ts";
import type { Visit } from "../../src/visit.ts";
import { callOf, documentOf, visitOf, wavesOf } from "./recorded-visits.ts";

const pageStart = documentOf("/", { at: 0, took: 100 });

function wavesAfterDocument(...visits: readonly Visit[]): (string | number)[][] {
  const [first, ...rest] = wavesOf(planSteps([], [pageStart, ...visits])[0]);
  expect(first).toEqual(["/"]);
  return rest;
}

test("the document is a wave by itself, and requests that start together are one wave", () => {
  expect(
    wavesAfterDocument(
      visitOf("/a.css", { at: 105, took: 50 }),
      visitOf("/b.js", { at: 106, took: 400 }),
      visitOf("/c.png", { at: 110, took: 300 }),
    ),
  ).toEqual([["/a.css", "/b.js", "/c.png"]]);
});

test("a request waits for the response that caused it, and not for others that are still running", () => {
  expect(
    wavesAfterDocument(
      visitOf("/a.css", { at: 105, took: 100 }),
      visitOf("/slow.png", { at: 105, took: 900 }),
      visitOf("/font.woff2", {
        at: 207,
        took: 100,
        initiator: { type: "parser", url: "https://shop.test/a.css" },
      }),
    ),
  ).toEqual([["/a.css", "/slow.png+"], ["/font.woff2"]]);
});

test("a request that starts after all others have ended waits for them, plus the browser's own time", () => {
  expect(
    wavesAfterDocument(
      visitOf("/a.js", { at: 100, took: 100 }),
      visitOf("/b.js", { at: 204, took: 100 }),
      visitOf("/c.js", { at: 454, took: 100 }),
    ),
  ).toEqual([["/a.js"], ["/b.js"], [150, "/c.js"]]);
});

test("a request that starts much later than the wave, after one of its responses, waits for that response", () => {
  expect(
    wavesAfterDocument(
      visitOf("/a.js", { at: 100, took: 200 }),
      visitOf("/b.png", { at: 100, took: 500 }),
      visitOf("/c.png", { at: 305, took: 400 }),
    ),
  ).toEqual([["/a.js", "/b.png+"], ["/c.png"]]);
});

test("an image with a signed address waits for the call before it, which returned the address", () => {
  expect(
    wavesAfterDocument(
      callOf("/api/picture", { at: 105, took: 6 }),
      visitOf("/a.png", { at: 114, took: 5 }),
      visitOf("/b.png?signature=7fc8e8f8", { at: 114, took: 5 }),
    ),
  ).toEqual([["/api/picture", "/a.png"], ["/b.png?signature=7fc8e8f8"]]);
});

test("a call waits for every call that ended before it, however quick they are", () => {
  expect(
    wavesAfterDocument(
      callOf("/api/token", { at: 100, took: 3, method: "POST" }),
      visitOf("/a.png", { at: 100, took: 20 }),
      callOf("/api/me", { at: 104, took: 3 }),
      callOf("/api/cart", { at: 105, took: 30 }),
    ),
  ).toEqual([
    ["/api/token", "/a.png"],
    ["/api/me", "/api/cart"],
  ]);
});

test("small files a moment apart are one wave, because their order gains nothing", () => {
  expect(
    wavesAfterDocument(
      visitOf("/a.css", { at: 101, took: 2 }),
      visitOf("/b.js", { at: 105, took: 2 }),
      visitOf("/c.png", { at: 112, took: 2 }),
    ),
  ).toEqual([["/a.css", "/b.js", "/c.png"]]);
});

test("a request that waited for one of six connections stays in its wave, whether the wait was recorded or not", () => {
  const first = Array.from({ length: 6 }, (_, index) =>
    visitOf(`/${String(index)}.png`, { at: 100, took: 300 }),
  );
  const queued = visitOf("/queued.png", { at: 100, took: 400, blocked: 300 });
  const late = visitOf("/late.png", { at: 400, took: 100 });
  expect(wavesAfterDocument(...first, queued, late)).toHaveLength(1);
  const http2 = { protocol: "http/2" } as const;
  const shared = first.map((visit): Visit => ({ ...visit, entry: { ...visit.entry, ...http2 } }));
  expect(wavesAfterDocument(...shared, visitOf("/late.png", { at: 400, took: 100, ...http2 }))).toHaveLength(
    2,
  );
});

test("a request that a timer started while others were running is delayed if the page's time depends on it", () => {
  expect(
    wavesAfterDocument(
      visitOf("/a.png", { at: 100, took: 900 }),
      visitOf("/late.png", { at: 700, took: 900 }),
    ),
  ).toEqual([["/a.png+"], [600, "/late.png"]]);
});

test("a request does not wait for a long document if the page's time depends on it", () => {
  const long = documentOf("/", { at: 0, took: 2_000 });
  const early = visitOf("/a.css", { at: 200, took: 1_900 });
  expect(wavesOf(planSteps([], [long, early])[0])).toEqual([["/+"], [200, "/a.css"]]);
});

test("a call without a recorded initiator waits for a script before it", () => {
  expect(
    wavesAfterDocument(
      visitOf("/slow.png", { at: 105, took: 900 }),
      visitOf("/app.js", { at: 105, took: 200, type: "script" }),
      visitOf("/a.css", { at: 105, took: 100 }),
      visitOf("/font.woff2", { at: 207, took: 100 }),
      callOf("/api/me", { at: 310, took: 100 }),
    ),
  ).toEqual([
    ["/slow.png+", "/app.js", "/a.css"],
    ["/font.woff2", "/api/me"],
  ]);
});

test("a script that ended a moment before a call is not sent with it", () => {
  const visits = [
    visitOf("/a.js", { at: 101, took: 5, type: "script" }),
    callOf("/api/me", { at: 108, took: 5 }),
  ];
  expect(wavesAfterDocument(...visits)).toEqual([["/a.js"], ["/api/me"]]);
});

test("a call is never in the wave of its initiator, even if that was still being received", () => {
  const ofStream = { initiator: { type: "script", url: "https://shop.test/stream.js" } };
  expect(
    wavesAfterDocument(
      visitOf("/stream.js", { at: 105, took: 300, type: "script" }),
      callOf("/api/me", { at: 115, took: 280, ...ofStream }),
    ),
  ).toEqual([["/stream.js+"], ["/api/me"]]);
});

test("the browser's own time is kept if it is at least 30 ms and a certain share of the page", () => {
  const after = (pauseMs: number): (string | number)[][] =>
    wavesAfterDocument(visitOf("/a.png", { at: 100 + pauseMs, took: 400 }));
  expect(after(28)).toEqual([["/a.png"]]);
  expect(after(32)).toEqual([[30, "/a.png"]]);
  const long = (pauseMs: number): (string | number)[][] =>
    wavesAfterDocument(visitOf("/a.png", { at: 100 + pauseMs, took: 3_000 }));
  expect(long(80)).toEqual([["/a.png"]]);
  expect(long(110)).toEqual([[110, "/a.png"]]);
});

test("without times, the document comes first, then all files, then each call by itself", () => {
  const undated = { at: null, took: null };
  const visits = [
    documentOf("/", undated),
    visitOf("/a.css", undated),
    visitOf("/b.png", undated),
    callOf("/api/login", { ...undated, method: "POST" }),
    callOf("/api/me", undated),
  ];
  expect(wavesOf(planSteps([], visits)[0])).toEqual([
    ["/"],
    ["/a.css", "/b.png"],
    ["/api/login"],
    ["/api/me"],
  ]);
});

test("the simulation waits for requests that do not outlast their wave, for pauses, and for one of six connections", () => {
  const visit = (name: string, took: number): Visit => visitOf(name, { took });
  const images = Array.from({ length: 7 }, (_, index) => ({
    visit: visit(String(index), 100),
    outlasts: false,
  }));
  const { startsMs, totalMs } = simulateStep([
    { afterMs: 0, visits: [{ visit: visit("/", 50), outlasts: false }] },
    { afterMs: 20, visits: images },
    { afterMs: 0, visits: [{ visit: visit("/slow", 900), outlasts: true }] },
    { afterMs: 10, visits: [{ visit: visit("/end", 5), outlasts: false }] },
  ]);
  expect(startsMs).toEqual([0, 70, 70, 70, 70, 70, 70, 170, 270, 280]);
  expect(totalMs).toBe(1_170);
});

test("all requests wait for the document if a later call may need its content", () => {
  const long = documentOf("/", { at: 0, took: 1_000 });
  const early = visitOf("/a.css", { at: 200, took: 1_100 });
  const call = callOf("/api/cart", { at: 1_010, took: 1_000, method: "POST" });
  expect(wavesOf(planSteps([], [long, early])[0])).toEqual([["/+"], [200, "/a.css"]]);
  expect(wavesOf(planSteps([], [long, early, call])[0])).toEqual([["/"], ["/a.css", "/api/cart"]]);
});

test("a wave ends only after a script that makes a later call, even if an image could start earlier", () => {
  const ofScript = { initiator: { type: "script", url: "https://shop.test/app.js" } };
  expect(
    wavesAfterDocument(
      visitOf("/a.css", { at: 105, took: 100 }),
      visitOf("/app.js", { at: 105, took: 200 }),
      visitOf("/b.png", {
        at: 207,
        took: 100,
        initiator: { type: "parser", url: "https://shop.test/a.css" },
      }),
      callOf("/api/me", { at: 310, took: 100, ...ofScript }),
    ),
  ).toEqual([
    ["/a.css", "/app.js"],
    ["/b.png", "/api/me"],
  ]);
});

test("requests a second apart are not sent together, even if no response arrived in between", () => {
  const slow = ["/a.mp4", "/b.mp4", "/c.mp4"].map((path, index) =>
    visitOf(path, { at: 105 + index * 1_000, took: 12_000 }),
  );
  expect(wavesAfterDocument(...slow).map((wave) => wave.filter((one) => typeof one === "string"))).toEqual([
    ["/a.mp4+"],
    ["/b.mp4+"],
    ["/c.mp4"],
  ]);
});
