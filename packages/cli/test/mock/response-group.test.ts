import { expect, test } from "vitest";

import { notInCapture } from "../../src/mock/mock-response.ts";
import { ResponseGroup, type RecordedResponse } from "../../src/mock/response-group.ts";
import { readBody } from "../../src/mock/request-body.ts";
import { requestLine, type RequestLine } from "../../src/mock/request-line.ts";

const lineOf = (path: string): RequestLine => requestLine("POST", new URL(path, "https://shop.test"));
const bodyOf = (value: object): ReturnType<typeof readBody> =>
  readBody(JSON.stringify(value), "application/json");

function recordedFor(path: string, value: object): RecordedResponse {
  return { line: lineOf(path), body: bodyOf(value), answer: notInCapture };
}

test("recorded bodies are parsed once, however many requests arrive", () => {
  let readings = 0;
  const counted = (id: number): RecordedResponse => {
    const { text, pairs } = bodyOf({ id, operation: "cart" });
    const body = {
      text,
      get pairs() {
        readings++;
        return pairs;
      },
    };
    return { line: lineOf("/api"), body, answer: notInCapture };
  };
  const group = new ResponseGroup([counted(1), counted(2), counted(3)]);
  const before = readings;
  for (let asked = 0; asked < 100; asked++) {
    group.take(lineOf("/api"), bodyOf({ id: asked % 5, operation: "cart" }), []);
  }
  expect(readings).toBe(before);
});

test("a matching query counts more than a matching body, and an equal body more than a similar one", () => {
  const recorded = [
    recordedFor("/api?page=1", { id: 1 }),
    recordedFor("/api?page=2", { id: 2, more: 1 }),
    recordedFor("/api?page=2", { id: 2 }),
    recordedFor("/api?page=2", { id: 2 }),
  ];
  const group = new ResponseGroup(recorded);
  const indexFor = (path: string, value: object, uses: number[] = []): number => {
    const taken = group.take(lineOf(path), bodyOf(value), uses);
    return recorded.findIndex((one) => one === taken);
  };
  expect(indexFor("/api?page=2", { id: 1 })).toBe(1);
  expect(indexFor("/api?page=1", { id: 2 })).toBe(0);
  expect(indexFor("/api?page=9", { id: 1 })).toBe(0);
  expect(indexFor("/api?page=9", { id: 2 })).toBe(2);
  const uses: number[] = [];
  expect([1, 2, 3].map(() => indexFor("/api?page=2", { id: 2 }, uses))).toEqual([2, 3, 2]);
});

test("a repeated value counts as often as both bodies contain it", () => {
  const form = (text: string): ReturnType<typeof readBody> =>
    readBody(text, "application/x-www-form-urlencoded");
  const recorded = ["tag=a", "tag=a&tag=a&x=1"].map((text): RecordedResponse => ({
    line: lineOf("/api"),
    body: form(text),
    answer: notInCapture,
  }));
  const group = new ResponseGroup(recorded);
  expect(group.take(lineOf("/api"), form("tag=a&tag=a&tag=a"), [])).toBe(recorded[1]);
  expect(group.take(lineOf("/api"), form("tag=a&y=1"), [])).toBe(recorded[0]);
});
