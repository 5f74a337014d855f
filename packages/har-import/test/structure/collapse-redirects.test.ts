import fc from "fast-check";
import { expect, test } from "vitest";
import { collapseRedirects } from "../../src/structure/collapse-redirects.ts";
import type { Visit } from "../../src/visit.ts";
import { callOf, documentOf, pathOf, redirectOf, visitOf } from "./recorded-visits.ts";

/** Each visit with its hops, by path. */
function chains(visits: readonly Visit[]): string[][] {
  return collapseRedirects(visits).map((visit) => [visit, ...visit.hops].map(pathOf));
}

test("a redirect and what it led to are one visit, however many hops there are", () => {
  const visits = [
    redirectOf("/", "https://www.shop.test/", { at: 0 }),
    redirectOf("https://www.shop.test/", "/de/", { at: 20, status: 301 }),
    redirectOf("https://www.shop.test/de/", "home?a=1#top", { at: 40, status: 307 }),
    documentOf("https://www.shop.test/de/home?a=1", { at: 60 }),
    visitOf("/logo.png", { at: 80 }),
  ];
  expect(chains(visits)).toEqual([["/", "/", "/de/", "/de/home?a=1"], ["/logo.png"]]);
});

test("pictures and calls are redirected like documents, each to its own", () => {
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

test("the header says where it leads when the recorder does not", () => {
  const redirect = redirectOf("/", "", { answerHeaders: [["Location", "/home"]] });
  expect(chains([redirect, documentOf("/home", { at: 20 })])).toEqual([["/", "/home"]]);
});

test("a loop that ends in an answer is one visit, one that does not is as many as were recorded", () => {
  const loop = Array.from({ length: 10 }, (_, turn) => redirectOf("/loop", "/loop", { at: turn * 20 }));
  const end = documentOf("/loop", { at: 200 });
  expect(chains([...loop, end])).toEqual([Array.from({ length: 11 }, () => "/loop")]);
  expect(chains([...loop, redirectOf("/loop", "/loop", { at: 200 })])).toEqual(
    Array.from({ length: 11 }, () => ["/loop"]),
  );
});

test.each<[why: string, visits: Visit[]]>([
  ["its end was not recorded", [redirectOf("/a", "/b"), redirectOf("/b", "/c", { at: 20 })]],
  ["its end had no answer", [redirectOf("/a", "/b"), documentOf("/b", { at: 20, status: 0 })]],
  ["its end came to nothing", [redirectOf("/a", "/b"), documentOf("/b", { at: 20, status: null })]],
  [
    "another site was in between",
    [redirectOf("/a", "https://login.test/"), redirectOf("/b", "https://login.test/2", { at: 30 })],
  ],
  ["it says nothing of where", [redirectOf("/a", ""), documentOf("/a", { at: 20 })]],
  ["it leads nowhere", [redirectOf("/a", "https://:/"), documentOf("/a", { at: 20 })]],
  ["what it leads to came long before", [documentOf("/b", { took: 5 }), redirectOf("/a", "/b", { at: 20 })]],
  [
    "what it leads to had begun before its answer",
    [redirectOf("/a", "/b", { took: 900 }), documentOf("/b", { at: 300 })],
  ],
  ["it was asked for much later", [redirectOf("/a", "/b"), documentOf("/b", { at: 20_000 })]],
  ["304 is no redirect", [visitOf("/a", { status: 304, location: "/b" }), documentOf("/b", { at: 20 })]],
  [
    "nobody sends GET on after 307",
    [redirectOf("/a", "/b", { method: "POST", status: 307 }), documentOf("/b", { at: 20 })],
  ],
])("a chain stays apart: %s", (_, visits) => {
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
])("%i makes of %s a %s", (status, method, next) => {
  const visits = [redirectOf("/a", "/b", { status, method }), visitOf("/b", { at: 20, method: next })];
  expect(chains(visits)).toEqual([["/a", "/b"]]);
});

test("two redirects to one address have a follower each", () => {
  const visits = [
    redirectOf("/1.png", "/x.png", { at: 0, took: 30 }),
    redirectOf("/2.png", "/x.png", { at: 1, took: 50 }),
    visitOf("/x.png", { at: 31 }),
    visitOf("/x.png", { at: 52 }),
    visitOf("/x.png", { at: 60 }),
  ];
  expect(chains(visits)).toEqual([["/1.png", "/x.png"], ["/2.png", "/x.png"], ["/x.png"]]);
});

test("without dates what follows soon in the file is what a redirect led to", () => {
  const others = Array.from({ length: 30 }, (_, index) => visitOf(`/${String(index)}.png`, { at: null }));
  const first = redirectOf("/a", "/b", { at: null });
  const end = documentOf("/b", { at: null });
  expect(chains([first, end, ...others])[0]).toEqual(["/a", "/b"]);
  expect(chains([first, ...others, end])[0]).toEqual(["/a"]);
});

test("what is collapsed already stays so, and chains grow by it", () => {
  const inner = redirectOf("/b", "/c", { at: 20 });
  const end = documentOf("/c", { at: 40 });
  const once = collapseRedirects([inner, end]);
  expect(collapseRedirects(once)).toEqual(once);
  expect(chains([redirectOf("/a", "/b"), ...once])).toEqual([["/a", "/b", "/c"]]);
});

test("no visit is lost and none is made twice, whatever redirects to whatever", () => {
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
