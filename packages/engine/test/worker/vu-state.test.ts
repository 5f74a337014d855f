import { Trend, trendScale } from "@bearhug/metrics/trend";
import { describe, expect, test } from "vitest";

import { startServer } from "../../../cli/test/end-to-end/test-server.ts";
import { iterationCounts, runScenario, startScenario } from "./run-scenario.ts";

/** Starts a server that accepts only requests with the session cookie of its login. */
const startShop = () =>
  startServer((request, response) => {
    if (request.url === "/login") response.setHeader("set-cookie", "session=open");
    const isLoggedIn = request.headers.cookie === "session=open";
    response.writeHead(request.url === "/login" || isLoggedIn ? 200 : 401).end();
  });

describe("the state of a virtual user", () => {
  test("is made once, before the first iteration, and keeps its session; none of that is measured", async () => {
    const shop = await startShop();
    const seen: unknown[] = [];
    const { accounting, vuStateAccounting, tagsOf } = await runScenario(
      async ({ http, vu, iteration }) => {
        const { ok } = await http.get("/basket");
        seen.push([vu.id, vu.state["name"], ok, iteration.indexInVu]);
      },
      {
        baseUrl: shop.url,
        iterations: 3,
        http: { cookies: "vu" },
        data: { realm: "shop" },
        vuState: async ({ http, vu, data, scenario, sleep }) => {
          await http.post("/login");
          await sleep("5ms");
          return { name: `${JSON.stringify(data)} ${scenario.name} ${vu.index}` };
        },
      },
    );
    expect(seen).toEqual([0, 1, 2].map((index) => [1, '{"realm":"shop"} readers 0', true, index]));
    expect(iterationCounts(accounting)).toMatchObject({ started: 3, completed: 3 });
    expect(vuStateAccounting?.requests()).toMatchObject([{ name: "POST /login", started: 1, succeeded: 1 }]);
    expect(accounting.requests()).toMatchObject([{ name: "GET /basket", started: 3, succeeded: 3 }]);
    expect(tagsOf("http_reqs")).toMatchObject([{ name: "GET /basket" }]);
  });

  test.each([
    [undefined, true],
    ["iteration", true],
    ["vu", false],
    ["off", false],
  ] as const)(
    "is reported once if its cookies reach no iteration: cookies %s",
    async (cookies, isReported) => {
      const shop = await startShop();
      const { logs } = await runScenario(({ http }) => http.get("/basket"), {
        baseUrl: shop.url,
        iterations: 4,
        vus: 2,
        http: cookies === undefined ? {} : { cookies },
        vuState: ({ http }) => http.post("/login").then(() => ({})),
      });
      const said =
        'vuState received cookies, which iterations do not send: each of them is a new visitor. To keep cookies, set http: { cookies: "vu" }';
      expect(logs.map(({ text }) => text)).toEqual(isReported ? [said] : []);
    },
  );

  test("is not reported if it reads its cookies, perhaps for iterations to set them", async () => {
    const shop = await startShop();
    const { logs } = await runScenario(({ http }) => http.get("/basket"), {
      baseUrl: shop.url,
      iterations: 2,
      vuState: async ({ http }) => {
        await http.post("/login");
        return { cookies: [...http.cookies.all()] };
      },
    });
    expect(logs).toEqual([]);
  });

  test("is not reported if it received no cookies", async () => {
    const shop = await startShop();
    const vuState = ({ http }: { http: { get(url: string): Promise<unknown> } }) =>
      http.get("/").then(() => ({}));
    const { logs } = await runScenario(({ http }) => http.get("/login"), {
      baseUrl: shop.url,
      iterations: 2,
      vuState,
    });
    expect(logs).toEqual([]);
  });

  test("does not count towards the iteration's time", async () => {
    let began = 0;
    let spentMs = 0;
    const { metric } = await runScenario(() => (spentMs = performance.now() - began), {
      vuState: async ({ sleep }) => {
        began = performance.now();
        await sleep("200ms");
        return {};
      },
    });
    for (const name of ["iteration_duration", "iteration_response_time"]) {
      const times = metric(name);
      expect(times instanceof Trend && times.max / trendScale, name).toBeLessThan(spentMs - 100);
    }
  });

  test("does not count towards the iteration's time if it cannot be made", async () => {
    const { metric, accounting } = await runScenario(() => {}, {
      iterations: 2,
      vuState: async ({ sleep }) => {
        await sleep("100ms");
        throw new Error("refused");
      },
    });
    expect(iterationCounts(accounting)).toMatchObject({ started: 2, failed: 2 });
    for (const name of ["iteration_duration", "iteration_response_time"]) {
      const times = metric(name);
      expect(times, name).toMatchObject({ count: 2, max: 0 });
    }
  });

  test("that cannot be made fails the iteration, and is tried again before the next", async () => {
    let tries = 0;
    const states: unknown[] = [];
    const { accounting, errors } = await runScenario(({ vu }) => states.push(vu.state), {
      iterations: 4,
      vuState: async () => {
        await Promise.resolve();
        if (++tries === 1) throw new Error("refused");
        if (tries === 2) return Promise.reject(new Error("refused again"));
        return { tries };
      },
    });
    expect(iterationCounts(accounting)).toEqual({ started: 4, completed: 2, failed: 2, interrupted: 0 });
    expect(errors().map(({ code, message, count }) => [code, message, count])).toEqual([
      ["TEST_THREW", "Error: refused", 2],
    ]);
    expect(states).toEqual([{ tries: 3 }, { tries: 3 }]);
  });

  test("may be made without a promise", async () => {
    let made = 0;
    const states: unknown[] = [];
    await runScenario(({ vu }) => states.push(vu.state), {
      iterations: 2,
      vuState: () => {
        made++;
        return { made };
      },
    });
    expect(states).toEqual([{ made: 1 }, { made: 1 }]);
  });

  test("is interrupted by the hard stop like an iteration, which then never runs", async () => {
    let hasRun = false;
    const { run, ended, accounting } = startScenario(() => (hasRun = true), {
      iterations: 5,
      vus: 2,
      vuState: async ({ sleep }) => {
        await sleep("1h");
        return {};
      },
    });
    setTimeout(() => {
      run.stop("hard");
    }, 50);
    await ended;
    expect(iterationCounts(accounting)).toEqual({ started: 2, completed: 0, failed: 0, interrupted: 2 });
    expect(hasRun).toBe(false);
  });

  test("is made separately for each variant, as cookies are", async () => {
    const made: number[] = [];
    const kept = new Set<unknown>();
    await runScenario(
      async ({ vu, sleep }) => {
        kept.add(vu.state["number"]);
        await sleep("5ms");
      },
      {
        iterations: 40,
        variants: ["a", "b"].map((name) => ({ name, headers: [], paths: [] })),
        vuState: () => ({ number: made.push(made.length) }),
      },
    );
    expect(made).toEqual([0, 1]);
    expect([...kept]).toEqual([1, 2]);
  });
});
