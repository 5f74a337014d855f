import { expect, test } from "vitest";
import { ResponseGroup } from "../../src/mock/response-group.ts";
import { notInCapture } from "../../src/mock/mock-response.ts";
import { readRequestLine } from "../../src/mock/request-line.ts";
import { visitorCookie, visitorOf, Visitors } from "../../src/mock/visitors.ts";
import { bodyOf, captureOf } from "./capture-of.ts";
import { fetchFrom, Visitor, withMock } from "./with-mock.ts";

const texts = (...all: string[]) => all.map((text) => ({ response: { body: { text } } }));

test("each visitor gets the responses to one request line in recorded order, then from the first again", async () => {
  await withMock(captureOf(texts("a", "b", "c")), async (mock) => {
    const [ann, ben] = [new Visitor(mock), new Visitor(mock)];
    expect(await ann.texts("/", 2)).toEqual(["a", "b"]);
    expect(await ben.texts("/", 4)).toEqual(["a", "b", "c", "a"]);
    expect(await ann.texts("/", 3)).toEqual(["c", "a", "b"]);
  });
});

test("recorded order is by start time, not by position in the file", async () => {
  const [late, early] = texts("late", "early");
  const capture = captureOf([
    { ...late, startedAtMs: 2000 },
    { ...early, startedAtMs: 1000 },
  ]);
  await withMock(capture, async (mock) => {
    expect(await new Visitor(mock).texts("/", 2)).toEqual(["early", "late"]);
  });
});

test("a client without a cookie is a new visitor each time, and gets the first response", async () => {
  await withMock(captureOf(texts("a", "b")), async (mock) => {
    const responses = [await fetchFrom(mock, "/"), await fetchFrom(mock, "/")];
    expect(await Promise.all(responses.map((response) => response.text()))).toEqual(["a", "a"]);
    const cookies = responses.map(({ headers }) => headers.getSetCookie());
    for (const [cookie] of cookies)
      expect(cookie).toMatch(/^bearhug_mock=[\da-f-]{36}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookies[0]).not.toEqual(cookies[1]);
  });
});

test("a known visitor gets no second cookie; even a response to an unknown request sets one", async () => {
  await withMock(captureOf(texts("a")), async (mock) => {
    expect((await fetchFrom(mock, "/none")).headers.getSetCookie()).toHaveLength(1);
    const known = await fetchFrom(mock, "/", { headers: { cookie: "bearhug_mock=me" } });
    expect(known.headers.getSetCookie()).toEqual([]);
  });
});

test("parallel requests of one visitor get each recorded response once", async () => {
  const capture = captureOf(texts("a", "b", "c", "d"));
  await withMock(capture, async (mock) => {
    const init = { headers: { cookie: "bearhug_mock=me" } };
    const bodies = await Promise.all(
      Array.from({ length: 4 }, async () => (await fetchFrom(mock, "/", init)).text()),
    );
    expect(bodies.toSorted()).toEqual(["a", "b", "c", "d"]);
  });
});

test("a response that was chosen by its values is not served again in its turn", async () => {
  const post = (text: string) => ({
    method: "POST",
    postData: bodyOf(text, "text/plain"),
    response: { body: { text } },
  });
  await withMock(captureOf([post("wrong"), post("right")]), async (mock) => {
    const visitor = new Visitor(mock);
    const send = (body: string) => visitor.texts("/", 1, { method: "POST", body });
    expect(await send("wrong")).toEqual(["wrong"]);
    expect(await send("another")).toEqual(["right"]);
  });
});

test("a visitor who keeps cookies gets past a redirect to the same path", async () => {
  const capture = captureOf([
    {
      url: "http://shop.test/",
      response: { status: 301, headers: [["location", "https://shop.test/"]] },
    },
    { url: "https://shop.test/", response: { body: { text: "home" } } },
  ]);
  await withMock(capture, async (mock) => {
    const visitor = new Visitor(mock);
    const redirect = await visitor.fetch("/");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([301, `${mock.url}/`]);
    expect(await visitor.texts("/", 1)).toEqual(["home"]);
  });
});

test("the visitor's cookie is found among others, and only if it is well-formed", () => {
  expect(visitorOf(visitorCookie("abc").split(";")[0])).toBe("abc");
  expect(visitorOf("a=1; bearhug_mock=v-1; b=2")).toBe("v-1");
  for (const header of [
    undefined,
    "",
    "xbearhug_mock=1",
    "bearhug_mock=",
    "bearhug_mock=a b",
    "a=bearhug_mock=1",
  ])
    expect(visitorOf(header)).toBeNull();
  expect(visitorOf(`bearhug_mock=${"x".repeat(65)}`)).toBeNull();
});

test("with very many visitors, those seen least recently are forgotten", () => {
  const line = readRequestLine("GET", "/");
  const one = { line, body: null, answer: notInCapture };
  const group = new ResponseGroup([one, { ...one }]);
  const visitors = new Visitors(1000);
  visitors.uses("first", group).push(1);
  visitors.uses("kept", group).push(1);
  for (let index = 0; index < 5000; index++) {
    visitors.uses("kept", group);
    visitors.uses(`v${index}`, group);
  }
  expect(visitors.uses("kept", group)).toEqual([1]);
  expect(visitors.uses("first", group)).toEqual([]);
});
