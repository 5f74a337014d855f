import { SeriesStore } from "@bearhug/metrics/series-store";
import { expect, test } from "vitest";

import { LoginStore } from "../../../src/outcome/login-store.ts";
import { unnoticedLogins } from "../../../src/outcome/verdict/not-logged-in.ts";

const scenario = "browse";
const [visited, page] = ["GET /account", "GET /login"];

/** The requests in a second, and how many of them ended at the login page. */
type Second = readonly [requests: number, sent: number];

/** Returns what is noted about a load with these seconds. */
function notedOf(seconds: readonly Second[], name: string = visited) {
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
  expect(notedOf(seconds)).toEqual([{ name: visited, page, requests: 40, fromMs: 2000, isLogin: false }]);
});

test("sessions that end one after another are noted, also if each began at the login page", () => {
  const ending = [5, 10, 15, ...Array<number>(10).fill(20)].map((sent): Second => [20, sent]);
  const noted = [{ name: visited, page, requests: 200, fromMs: 33_000, isLogin: false }];
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
    { name: visited, page, requests: 60, fromMs: 2000, isLogin: false },
  ]);
});

test("logins that fail from some time on, or always, are noted, and those in two steps are not", () => {
  const login = "POST /login";
  const noted = { name: login, page, isLogin: true };
  const failed = Array<Second>(3).fill([20, 20]);
  expect(notedOf(failed, login)).toEqual([{ ...noted, requests: 60, fromMs: null }]);
  expect(notedOf([[20, 0], [20, 0], ...failed], login)).toEqual([{ ...noted, requests: 60, fromMs: 2000 }]);
  expect(notedOf(Array<Second>(3).fill([20, 10]), login)).toEqual([]);
});
