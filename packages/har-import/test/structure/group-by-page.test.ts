import { expect, test } from "vitest";
import { groupByPage, type PageGroup } from "../../src/structure/find-pages.ts";
import { pageOf, pathOf, recordingStartMs, visitOf } from "./recorded-visits.ts";

function pathsOf(groups: readonly PageGroup[]): string[][] {
  return groups.map(({ visits }) => visits.map(pathOf));
}

test("requests are grouped by the page they refer to, with its title and load time", () => {
  const groups = groupByPage(
    [
      pageOf("1", { title: "First", at: 100, loadedAfter: 50 }),
      pageOf("2", { title: "Second" }),
      pageOf("3"),
    ],
    [visitOf("/a", { pageRef: "1" }), visitOf("/b", { pageRef: "2" }), visitOf("/a.css", { pageRef: "1" })],
  );
  expect(pathsOf(groups)).toEqual([["/a", "/a.css"], ["/b"]]);
  expect(groups.map(({ title, loadedAtMs }) => [title, loadedAtMs])).toEqual([
    ["First", recordingStartMs + 150],
    ["Second", null],
  ]);
});

test("without pages, all requests are one group", () => {
  expect(pathsOf(groupByPage([], [visitOf("/a", { at: 0 }), visitOf("/b", { at: 9_000 })]))).toEqual([
    ["/a", "/b"],
  ]);
});

test("a request without a page belongs to the page that was current", () => {
  const pages = [pageOf("1", { at: 0 }), pageOf("2", { at: 10 })];
  const visits = [
    visitOf("/poll-a", { at: 5 }),
    visitOf("/two", { at: 10, pageRef: "2" }),
    visitOf("/poll-b", { at: 15 }),
  ];
  expect(pathsOf(groupByPage(pages, visits))).toEqual([["/poll-a"], ["/two", "/poll-b"]]);
});

test("a page that only requests refer to becomes a page at the time of those requests", () => {
  const pages = [pageOf("1", { at: 0 }), pageOf("3", { at: 20 })];
  const visits = [
    visitOf("/one", { at: 0, pageRef: "1" }),
    visitOf("/two", { at: 10, pageRef: "lost" }),
    visitOf("/two.css", { at: 11, pageRef: "lost" }),
    visitOf("/three", { at: 20, pageRef: "3" }),
  ];
  expect(pathsOf(groupByPage(pages, visits))).toEqual([["/one"], ["/two", "/two.css"], ["/three"]]);
});

test("of two pages with one id, the current one gets the request", () => {
  const pages = [pageOf("p", { at: 0 }), pageOf("p", { at: 10 })];
  const visits = [0, 10, 12].map((at) => visitOf(`/${String(at)}`, { at, pageRef: "p" }));
  expect(pathsOf(groupByPage(pages, visits))).toEqual([["/0"], ["/10", "/12"]]);
});
