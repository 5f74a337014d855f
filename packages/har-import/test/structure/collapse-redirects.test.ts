import fc from "fast-check";
import { expect, test } from "vitest";
import { collapseRedirects } from "../../src/structure/collapse-redirects.ts";
import type { Visit } from "../../src/visit.ts";
import { callOf, documentOf, pathOf, redirectOf, visitOf } from "./recorded-visits.ts";

/** Returns the paths of each visit and its hops. */
function chains(visits: readonly Visit[]): string[][] {
  return collapseRedirects(visits).map((visit) => [visit, ...visit.hops].map(pathOf));
}

test("a redirect and its target are one visit, however many hops there are", () => {
  const visits = [
    redirectOf("/", "https://www.shop.test/", { at: 0 }),
    redirectOf("https://www.shop.test/", "/de/", { at: 20, status: 301 }),
    redirectOf("https://www.shop.test/de/", "home?a=1#top", { at: 40, status: 307 }),
    documentOf("https://www.shop.test/de/home?a=1", { at: 60 }),
    visitOf("/logo.png", { at: 80 }),
  ];
  expect(chains(visits)).toEqual([["/", "/", "/de/", "/de/home?a=1"], ["/logo.png"]]);
});

test("redirects of images and calls are collapsed like those of documents, each with its own target", () => {
  const visits = [
    redirectOf("/a.png", "/cdn/a.png", { at: 0 }),
    redirectOf("/api", "/api/v2", { at: 1, type: "fetch" }),
    callOf("/api/v2", { at: 15 }),
    visitOf("/cdn/a.png", { at: 16 }),
  ];
  expect(chains(visits)).toEqual([
    ["/a.png", "/cdn/a.png"],
    ["/api", "/api/v2"],
  ]);
});

test("the target is read from the Location header if the recorder does not name it", () => {
  const redirect = redirectOf("/", "", { responseHeaders: [["Location", "/home"]] });
  expect(chains([redirect, documentOf("/home", { at: 20 })])).toEqual([["/", "/home"]]);
});

test("a redirect loop that ends in a response is one visit; one that does not end stays separate visits", () => {
  const loop = Array.from({ length: 10 }, (_, turn) => redirectOf("/loop", "/loop", { at: turn * 20 }));
  const end = documentOf("/loop", { at: 200 });
  expect(chains([...loop, end])).toEqual([Array.from({ length: 11 }, () => "/loop")]);
  expect(chains([...loop, redirectOf("/loop", "/loop", { at: 200 })])).toEqual(
    Array.from({ length: 11 }, () => ["/loop"]),
  );
});

test.each<[why: string, visits: Visit[]]>([
  ["its end was not recorded", [redirectOf("/a", "/b"), redirectOf("/b", "/c", { at: 20 })]],
  ["its end has status 0", [redirectOf("/a", "/b"), documentOf("/b", { at: 20, status: 0 })]],
  ["its end has no status", [redirectOf("/a", "/b"), documentOf("/b", { at: 20, status: null })]],
  [
    "another site was in between",
    [redirectOf("/a", "https://login.test/"), redirectOf("/b", "https://login.test/2", { at: 30 })],
  ],
  ["the redirect has no target", [redirectOf("/a", ""), documentOf("/a", { at: 20 })]],
  ["the target is not a valid URL", [redirectOf("/a", "https://:/"), documentOf("/a", { at: 20 })]],
  [
    "the target was requested before the redirect",
    [documentOf("/b", { took: 5 }), redirectOf("/a", "/b", { at: 20 })],
  ],
  [
    "the target was requested before the redirect's response",
    [redirectOf("/a", "/b", { took: 900 }), documentOf("/b", { at: 300 })],
  ],
  ["the target was requested much later", [redirectOf("/a", "/b"), documentOf("/b", { at: 20_000 })]],
  ["a 304 is not a redirect", [visitOf("/a", { status: 304, location: "/b" }), documentOf("/b", { at: 20 })]],
  [
    "a 307 does not change POST to GET",
    [redirectOf("/a", "/b", { method: "POST", status: 307 }), documentOf("/b", { at: 20 })],
  ],
])("visits are not joined: %s", (_, visits) => {
  expect(collapseRedirects(visits)).toEqual(visits);
});

test.each([
  [301, "POST", "GET"],
  [302, "POST", "GET"],
  [303, "PUT", "GET"],
  [303, "HEAD", "HEAD"],
  [302, "DELETE", "DELETE"],
  [307, "POST", "POST"],
  [308, "PATCH", "PATCH"],
])("a %i redirect turns %s into %s", (status, method, next) => {
  const visits = [redirectOf("/a", "/b", { status, method }), visitOf("/b", { at: 20, method: next })];
  expect(chains(visits)).toEqual([["/a", "/b"]]);
});

test("two redirects to one address get one target request each", () => {
  const visits = [
    redirectOf("/1.png", "/x.png", { at: 0, took: 30 }),
    redirectOf("/2.png", "/x.png", { at: 1, took: 50 }),
    visitOf("/x.png", { at: 31 }),
    visitOf("/x.png", { at: 52 }),
    visitOf("/x.png", { at: 60 }),
  ];
  expect(chains(visits)).toEqual([["/1.png", "/x.png"], ["/2.png", "/x.png"], ["/x.png"]]);
});

test("without dates, the target is a request that follows soon in the file", () => {
  const others = Array.from({ length: 30 }, (_, index) => visitOf(`/${String(index)}.png`, { at: null }));
  const first = redirectOf("/a", "/b", { at: null });
  const end = documentOf("/b", { at: null });
  expect(chains([first, end, ...others])[0]).toEqual(["/a", "/b"]);
  expect(chains([first, ...others, end])[0]).toEqual(["/a"]);
});

test("collapsed visits stay collapsed, and longer chains include them", () => {
  const inner = redirectOf("/b", "/c", { at: 20 });
  const end = documentOf("/c", { at: 40 });
  const once = collapseRedirects([inner, end]);
  expect(collapseRedirects(once)).toEqual(once);
  expect(chains([redirectOf("/a", "/b"), ...once])).toEqual([["/a", "/b", "/c"]]);
});

test("no visit is lost or duplicated, whatever the redirects", () => {
  const path = fc.constantFrom("/a", "/b", "/c", "/d");
  const visit = fc.record({
    path,
    location: path,
    at: fc.option(fc.nat(300)),
    took: fc.option(fc.nat(100)),
    status: fc.constantFrom(200, 302, 303, 307, 0),
    method: fc.constantFrom("GET", "POST"),
  });
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 20 }), (recorded) => {
      const visits = recorded.map(({ path: from, ...rest }) => visitOf(from, rest));
      const collapsed = collapseRedirects(visits);
      const entries = collapsed.flatMap((first) => [first, ...first.hops].map(({ entry }) => entry));
      expect(entries).toHaveLength(visits.length);
      expect(new Set(entries)).toEqual(new Set(visits.map(({ entry }) => entry)));
    }),
  );
});
