import { SeriesStore } from "@bearhug/metrics/series-store";
import { expect, test } from "vitest";

import { LoginStore } from "../../../src/outcome/login-store.ts";
import { unnoticedLogins } from "../../../src/outcome/verdict/not-logged-in.ts";

const scenario = "browse";
const [name, page] = ["GET /account", "GET /login"];

/** The requests in a second, and how many of them ended at the login page. */
type Second = readonly [requests: number, sent: number];

/** Returns what is noted about a load with these seconds. */
function notedOf(seconds: readonly Second[]) {
  const [store, logins] = [new SeriesStore(), new LoginStore()];
  const add = (second: number, requested: string, total: number, requests: number): void => {
    const metrics = { http_reqs: { type: "counter", total, samples: total } } as const;
    const tags = { scenario, name: requested, method: "GET" };
    const sentToLogin = requests === 0 ? [] : [{ name: requested, page, requests }];
    store.add(0, [{ id: requested === name ? 0 : 1, tags, metrics }]);
    logins.add(
      second,
      [{ scenario, origin: null, succeeded: total, failed: 0, sentToLogin }],
      [{ tags, metrics }],
    );
  };
  for (const [second, [total, sent]] of seconds.entries()) {
    add(second, name, total, sent);
    add(second, page, sent, 0);
  }
  return unnoticedLogins(store, logins);
}

test("sessions that all end at the same second are noted from that second on", () => {
  const seconds = [
    [20, 0],
    [20, 0],
    [20, 20],
    [20, 20],
  ] as const;
  expect(notedOf(seconds)).toEqual([{ name, page, requests: 40, fromMs: 2000 }]);
});

test("sessions that end one after another are noted, also if each began at the login page", () => {
  const ending = [5, 10, 15, ...Array<number>(10).fill(20)].map((sent): Second => [20, sent]);
  const noted = [{ name, page, requests: 200, fromMs: 33_000 }];
  expect(notedOf([[20, 20], ...Array<Second>(29).fill([20, 0]), ...ending])).toEqual(noted);
  expect(notedOf([...Array<Second>(30).fill([20, 0]), ...ending])).toEqual(noted);
});

test("visitors who log in in each iteration are not noted, if the load ends at a time of first visits", () => {
  const visit = [
    [20, 20],
    [0, 0],
    [20, 0],
    [20, 0],
    [0, 0],
  ] as const;
  expect(notedOf([...visit, [20, 20]])).toEqual([]);
  expect(notedOf([...visit, ...visit, [20, 20], [0, 0]])).toEqual([]);
  expect(
    notedOf([
      [20, 10],
      [20, 10],
      [20, 20],
    ]),
  ).toEqual([]);
});

test("visitors who log in in each iteration are noted, if their logins no longer help", () => {
  const half = Array<Second>(2).fill([20, 10]);
  expect(notedOf([...half, ...Array<Second>(3).fill([20, 20])])).toEqual([
    { name, page, requests: 60, fromMs: 2000 },
  ]);
});
