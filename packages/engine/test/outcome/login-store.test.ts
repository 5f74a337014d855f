import { expect, test } from "vitest";

import { LoginStore } from "../../src/outcome/login-store.ts";

const scenario = "browse";
const [name, page] = ["GET /account", "GET /login"];

/** Returns what is known after each worker has reported, for each second, its requests and those sent to login. */
function storeOf(...workers: (readonly (readonly [requests: number, sent: number])[])[]) {
  const store = new LoginStore();
  for (const seconds of workers)
    for (const [second, [total, requests]] of seconds.entries()) {
      const sentToLogin = requests === 0 ? [] : [{ name, page, requests }];
      const http_reqs = { type: "counter", total, samples: total } as const;
      store.add(
        second,
        [{ scenario, origin: "http://shop.test", succeeded: total, failed: 0, sentToLogin }],
        [{ tags: { scenario, name }, metrics: { http_reqs } }],
      );
    }
  return store.all();
}

test("the last seconds in which nearly all requests ended at a login page count those of all workers", () => {
  const [first, second] = [
    [
      [20, 0],
      [20, 10],
      [20, 20],
      [20, 19],
      [0, 0],
      [9, 9],
    ],
    [
      [20, 0],
      [20, 0],
      [20, 15],
      [20, 20],
    ],
  ] as const;
  expect(storeOf(first)).toEqual([
    { scenario, name, page, requests: 58, atEnd: { requests: 48, fromMs: 2000 } },
  ]);
  expect(storeOf(first, second)).toEqual([
    { scenario, name, page, requests: 93, atEnd: { requests: 48, fromMs: 3000 } },
  ]);
});

test("redirects to a login page that end before the run does are not its last ones", () => {
  expect(
    storeOf([
      [10, 10],
      [10, 10],
      [10, 0],
    ]),
  ).toMatchObject([{ requests: 20, atEnd: null }]);
  expect(storeOf([[10, 0]])).toEqual([]);
});

test("all requests that ended at login pages are counted, and a hundred names are followed over time", () => {
  const store = new LoginStore();
  const sentToLogin = Array.from({ length: 101 }, (_, index) => ({
    name: `GET /${index}`,
    page,
    requests: 1,
  }));
  store.add(0, [{ scenario, origin: null, succeeded: 101, failed: 0, sentToLogin }], []);
  const all = store.all();
  expect(all.map(({ requests }) => requests)).toEqual(Array(101).fill(1));
  expect(all.filter(({ atEnd }) => atEnd !== null)).toHaveLength(100);
});
