import { expect, test } from "vitest";

import { type BodyShare, type KeptBody } from "../../src/exchange/kept-body.ts";
import { BodyBudget } from "../../src/exchange/last-bodies.ts";
import { newBody, shareOf } from "./keep.ts";

const mebibyte = Buffer.alloc(1024 * 1024);

/** Makes a budget of 16 MiB for a thread whose memory use the test sets. */
function budgetOf(memory: { megabytes: number }) {
  const refusals = { count: 0 };
  const budget = new BodyBudget(
    () => refusals.count++,
    16 * mebibyte.length,
    () => memory.megabytes * mebibyte.length,
  );
  return { refusals, share: () => shareOf(budget) };
}

function bodyOf(share: BodyShare, megabytes: number): KeptBody {
  const body = newBody(share);
  for (let count = 0; count < megabytes; count++) body.add(mebibyte);
  return body;
}

test("bodies beyond the budget of a worker are not kept while the iterations that hold the others run", () => {
  const { share, refusals } = budgetOf({ megabytes: 20 });
  const [first, second, third] = [share(), share(), share()];
  expect([bodyOf(first, 8), bodyOf(second, 8)].map(({ whyNotKept }) => whyNotKept)).toEqual([null, null]);
  expect(bodyOf(third, 2).whyNotKept).toBe("noRoom");
  expect(refusals.count).toBe(1);
  first.release();
  expect(bodyOf(third, 8).whyNotKept).toBe(null);
  expect(bodyOf(third, 1).whyNotKept).toBe("noRoom");
});

test("a long iteration that releases its bodies may have any number of them", () => {
  const memory = { megabytes: 12 };
  const { share, refusals } = budgetOf(memory);
  const own = share();
  for (let count = 0; count < 20; count++) expect(bodyOf(own, 8).whyNotKept).toBe(null);
  expect(refusals.count).toBe(0);
  memory.megabytes = 20;
  expect(bodyOf(own, 8).whyNotKept).toBe("noRoom");
  memory.megabytes = 12;
  expect(bodyOf(own, 8).whyNotKept).toBe(null);
});

test("bodies that outlive their iterations are bounded at twice the budget", () => {
  const memory = { megabytes: 31 };
  const { share } = budgetOf(memory);
  for (let count = 0; count < 5; count++) {
    const own = share();
    expect(bodyOf(own, 8).whyNotKept).toBe(null);
    own.release();
  }
  memory.megabytes = 33;
  const bodies = [bodyOf(share(), 5), bodyOf(share(), 5)];
  expect(bodies.at(-1)?.whyNotKept).toBe("noRoom");
});

test("a body that is dropped frees its room", () => {
  const { share } = budgetOf({ megabytes: 20 });
  const own = share();
  expect(bodyOf(own, 11).whyNotKept).toBe("tooLong");
  expect(bodyOf(own, 9).whyNotKept).toBe(null);
});

test("a dropped body does not free its room twice", () => {
  const { share } = budgetOf({ megabytes: 20 });
  const own = share();
  expect(bodyOf(own, 11).whyNotKept).toBe("tooLong");
  own.release();
  const bodies = [bodyOf(share(), 8), bodyOf(share(), 8), bodyOf(share(), 1)];
  expect(bodies.map(({ whyNotKept }) => whyNotKept)).toEqual([null, null, "noRoom"]);
});

test("memory is measured once for 8 MiB of bodies while there is room", () => {
  const measured = { count: 0 };
  const measure = () => ++measured.count;
  const share = shareOf(new BodyBudget(() => undefined, 16 * mebibyte.length, measure));
  expect(bodyOf(share, 7).whyNotKept).toBe(null);
  expect(measured.count).toBe(0);
  expect(bodyOf(share, 9).whyNotKept).toBe(null);
  expect(measured.count).toBe(2);
});

test("memory just at the budget is no reason to refuse a body", () => {
  const { share } = budgetOf({ megabytes: 16 });
  expect(bodyOf(share(), 10).whyNotKept).toBe(null);
  expect(bodyOf(share(), 10).whyNotKept).toBe(null);
});
