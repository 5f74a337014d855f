import { describe, expect, test } from "vitest";

import { type BodyShare, KeptBody } from "../../src/exchange/kept-body.ts";
import { BodyBudget } from "../../src/exchange/last-bodies.ts";
import { LastBodies } from "../../src/exchange/last-bodies.ts";
import { SharedBody } from "../../src/response/shared-body.ts";
import { receive } from "../response/receive.ts";
import { bytesOf, shareOf, wideBudget } from "./keep.ts";

const page = {};

/** Receives a whole body from an endpoint, in pieces. */
function arrive(share: BodyShare, pieces: readonly (string | Buffer)[], endpoint: object = page) {
  const kept = new KeptBody(share, endpoint);
  for (const piece of pieces) kept.add(typeof piece === "string" ? Buffer.from(piece) : piece);
  kept.end();
  return kept.received();
}

function startLast(limitBytes?: number) {
  const budget = wideBudget();
  const last = new LastBodies(budget, limitBytes);
  return { last, share: shareOf(budget, last) };
}

describe("a body that an endpoint sends again", () => {
  test("is kept once, however it is cut", () => {
    const { share } = startLast();
    arrive(share, ["abcdef"]);
    const second = arrive(share, ["abcdef"]);
    expect(second).toBeInstanceOf(SharedBody);
    for (const pieces of [["abcdef"], ["a", "bcdef"], ["abc", "", "def"]])
      expect(arrive(share, pieces)).toBe(second);
  });

  test("is kept once if responses with it come at the same time", () => {
    const { share } = startLast();
    const bodies = [1, 2, 3, 4].map(() => new KeptBody(share, page));
    for (const body of bodies) body.add(Buffer.from("the same"));
    for (const body of bodies) body.end();
    const [first, ...others] = bodies.map((body) => body.received());
    expect(bytesOf(first ?? null).toString()).toBe("the same");
    expect(new Set(others).size).toBe(1);
  });

  test("in turn with others is kept once, even if they begin alike", () => {
    const { share } = startLast();
    const turns = ["page of ann", "page of bob", "page of bo", "page of bobby"];
    for (let round = 0; round < 3; round++) for (const turn of turns.slice(0, 2)) arrive(share, [turn]);
    const [ann, bob] = [arrive(share, ["page of", " ann"]), arrive(share, ["page of", " bob"])];
    expect([ann, bob].map((body) => bytesOf(body).toString())).toEqual(turns.slice(0, 2));
    for (const turn of turns.slice(2)) expect(bytesOf(arrive(share, [turn])).toString()).toBe(turn);
    expect(arrive(share, ["page of ann"])).toBe(ann);
    expect(arrive(share, ["page of", " bob"])).toBe(bob);
  });

  test("is not confused with another that only continues alike", () => {
    const { share } = startLast();
    for (const known of ["ann: 1", "ann: 1", "bob: 2", "bob: 2"]) arrive(share, [known]);
    expect(bytesOf(arrive(share, ["ann", ": 2"])).toString()).toBe("ann: 2");
    expect(bytesOf(arrive(share, ["ann", ": 1", "3"])).toString()).toBe("ann: 13");
  });

  test("takes none of its iteration's room", () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    const budget = new BodyBudget(
      () => undefined,
      16 * megabyte.length,
      () => 20 * megabyte.length,
    );
    const share = shareOf(budget);
    const isKept = (endpoint: object) => arrive(share, [megabyte], endpoint) !== null;
    for (let count = 0; count < 50; count++) expect(isKept(page)).toBe(true);
    // Held so far: the first body, which counts for the iteration, and the second, which all others share.
    for (let count = 0; count < 14; count++) expect(isKept({})).toBe(true);
    expect([isKept({}), isKept(page)]).toEqual([false, true]);
    share.release();
    for (let count = 0; count < 15; count++) expect(isKept({})).toBe(true);
    expect(isKept({})).toBe(false);
  });

  test("has one text for all responses, and separate bytes for each", () => {
    const { last, share } = startLast();
    arrive(share, ["grün"]);
    const [one, other] = [1, 2].map(() => receive({ body: arrive(share, ["grün"]) }));
    expect(last.bytes).toBe(5);
    expect([one?.text(), other?.text()]).toEqual(["grün", "grün"]);
    expect(last.bytes).toBe(5 + 2 * 4);
    one?.bytes().fill(0);
    expect([other?.bytes(), one?.text(), other?.text()]).toEqual([Buffer.from("grün"), "grün", "grün"]);
  });
});

describe("of an endpoint", () => {
  test("that is requested once, no body is kept", () => {
    const { last, share } = startLast();
    for (let id = 0; id < 10; id++) arrive(share, ["a body"], {});
    expect(last.bytes).toBe(0);
  });

  test("whose bodies are always new, two are kept, and few are compared", () => {
    const { last, share } = startLast();
    const shared = Array.from({ length: 1000 }, (_, id) => arrive(share, [`body ${1000 + id}`])).filter(
      (body) => body instanceof SharedBody,
    );
    expect(last.bytes).toBe(2 * "body 1000".length);
    expect(shared.length).toBe(8 + Math.floor(999 / 16));
  });

  test("whose bodies begin to repeat, they are shared again", () => {
    const { share } = startLast();
    for (let id = 0; id < 100; id++) arrive(share, [`body ${id}`]);
    const again = Array.from({ length: 40 }, () => arrive(share, ["the last"]));
    expect(new Set(again.slice(20)).size).toBe(1);
  });

  test("with many bodies, those that repeat are kept", () => {
    const { share } = startLast();
    const known = ["a", "b", "c", "d", "e", "f"];
    for (const one of [...known, ...known].sort()) arrive(share, [one]);
    arrive(share, ["a"]);
    const before = known.map((one) => arrive(share, [one]));
    for (let id = 0; id < 50; id++) arrive(share, [`new ${id}`]);
    expect(known.map((one) => arrive(share, [one]))).toEqual(before);
    expect(new Set(before).size).toBe(6);
  });
});

describe("the last bodies of a worker", () => {
  const kilobyte = "x".repeat(1000);

  test("take no more than their limit; those that repeat stay", () => {
    const { last, share } = startLast(10_000);
    const often = {};
    for (let count = 0; count < 3; count++) arrive(share, [kilobyte], often);
    const kept = arrive(share, [kilobyte], often);
    for (let id = 0; id < 100; id++) {
      const endpoint = {};
      arrive(share, [kilobyte], endpoint);
      arrive(share, [`${id}${kilobyte}`], endpoint);
      if (id % 4 === 0) expect(arrive(share, [kilobyte], often)).toBe(kept);
      expect(last.bytes).toBeLessThanOrEqual(10_000);
    }
    expect(last.bytes).toBeGreaterThan(8000);
  });

  test("free their room when they are dropped, with their texts", () => {
    const { last, share } = startLast(10_000);
    const [one, other] = [{}, {}];
    for (let count = 0; count < 3; count++) arrive(share, [kilobyte], one);
    const response = receive({ body: arrive(share, [kilobyte], one) });
    expect([response.text().length, last.bytes]).toEqual([1000, 3000]);
    for (let id = 0; id < 1000; id++) {
      const endpoint = id < 10 ? other : {};
      arrive(share, [kilobyte], endpoint);
      arrive(share, [kilobyte], endpoint);
    }
    expect(last.bytes).toBeLessThanOrEqual(10_000);
    expect(receive({ body: arrive(share, [kilobyte], one) }).text()).toBe(kilobyte);
  });

  test("do not include one that takes more than a quarter of their limit", () => {
    const { last, share } = startLast(10_000);
    for (let count = 0; count < 3; count++) arrive(share, [kilobyte.repeat(3)]);
    expect(last.bytes).toBe(0);
  });

  test("are of at most 4096 endpoints", () => {
    const { share } = startLast();
    arrive(share, ["abc"]);
    for (let id = 0; id < 4096; id++) arrive(share, ["abc"], {});
    // Its endpoint was dropped, so this is like a first response.
    expect(arrive(share, ["abc"])).not.toBeInstanceOf(SharedBody);
    expect(arrive(share, ["abc"])).toBeInstanceOf(SharedBody);
  });
});
