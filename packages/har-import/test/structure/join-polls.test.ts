import { expect, test } from "vitest";
import { planSteps } from "../../src/structure/plan-steps.ts";
import type { Visit } from "../../src/visit.ts";
import { callOf, documentOf } from "./recorded-visits.ts";

function pollsAt(startsMs: readonly number[], took: (index: number) => number = () => 4): Visit[] {
  return startsMs.map((at, index) =>
    callOf(`/api/jobs/7?_=${String(1_800_000_000_000 + at)}`, { at, took: took(index) }),
  );
}

function groupsOf(visits: readonly Visit[]): number[][] {
  return planSteps([], visits).map(({ waves }) => waves.map(({ afterMs }) => afterMs));
}

test("the same call at equal intervals is one group with pauses", () => {
  const polls = pollsAt([3_000, 3_520, 4_035]);
  expect(groupsOf([documentOf("/", { at: 0 }), ...polls])).toEqual([[0], [0, 520, 510]]);
});

test("intervals are measured from start to start, or from a response to the next start", () => {
  expect(groupsOf(pollsAt([0, 2_000, 4_000, 6_000], (index) => index * 300))).toHaveLength(1);
  expect(groupsOf(pollsAt([0, 1_000, 2_300, 3_900], (index) => index * 300))).toHaveLength(1);
});

test("the same call at irregular intervals, or only twice, is a group each time", () => {
  expect(groupsOf(pollsAt([0, 700, 2_200]))).toEqual([[0], [0], [0]]);
  expect(groupsOf(pollsAt([0, 1_000]))).toEqual([[0], [0]]);
});

test("different calls at equal intervals, or calls with another between them, are separate groups", () => {
  const pages = [1, 2, 3].map((page) => callOf(`/api/items?page=${String(page)}`, { at: page * 1_000 }));
  expect(groupsOf(pages)).toHaveLength(3);
  const [first, second, third] = [0, 2_000, 4_000].flatMap((at) => pollsAt([at]));
  const between = callOf("/api/x", { at: 3_000 });
  expect(groupsOf([first, second, between, third].filter((visit) => visit !== undefined))).toHaveLength(4);
});
