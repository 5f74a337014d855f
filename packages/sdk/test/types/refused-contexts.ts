// No marked line may compile: an expected error that does not occur is an error itself.
import { defineTest } from "@bearhug/sdk";
import type { Test } from "@bearhug/sdk";

declare function use(value: unknown): void;

export const contexts = defineTest({
  env: { API_TOKEN: { secret: true } },
  metrics: { basket: { type: "trend" }, paid: { type: "rate" } },
  setup: ({ env }) => {
    // @ts-expect-error not a variable that the test declares
    use(env.REGION);
    return { users: [{ name: "ann" }] };
  },
  scenarios: {
    readers: {
      executor: "shared-iterations",
      exec: async ({ http, data, env, metrics, check, think, page, iteration, vu, random }) => {
        // @ts-expect-error setup returns no such property
        use(data.user);
        // @ts-expect-error its users have no such property
        use(data.users[0]?.email);
        // @ts-expect-error not a variable that the test declares
        use(env.REGION);
        // @ts-expect-error not a metric that the test declares
        use(metrics.baskets);
        // @ts-expect-error a trend takes numbers
        metrics.basket.add(true);
        // @ts-expect-error a rate takes true or false, or 1 or 0
        metrics.paid.add(2);
        // @ts-expect-error a check returns true or false, not a header
        check(await http.get("/"), { "has a type": ({ headers }) => headers.get("content-type") });
        // @ts-expect-error a check does not wait
        check(await http.get("/"), { "is ok": async ({ ok }) => Promise.resolve(ok) });
        // @ts-expect-error responses have no such property
        check(await http.get("/"), { "is ok": ({ statusCode }) => statusCode === 200 });
        // @ts-expect-error not a duration
        await think("a while");
        // @ts-expect-error pages have names
        await page(async () => http.get("/"));
        // @ts-expect-error indexes are read-only
        iteration.index = 5;
        // @ts-expect-error ids are read-only
        vu.id = 5;
        // @ts-expect-error it needs two bounds
        random.integer(5);
      },
    },
  },
});

export const requests = defineTest({
  scenarios: {
    readers: {
      executor: "shared-iterations",
      exec: async ({ http, data }) => {
        // @ts-expect-error the type of the body is not given
        use((await http.get("/")).json().name);
        // @ts-expect-error the option is misspelt
        await http.get("/", { header: { accept: "*/*" } });
        // @ts-expect-error not a duration
        await http.get("/", { timeout: "long" });
        // @ts-expect-error a token, or a user and a password
        await http.get("/", { auth: { username: "ann" } });
        // @ts-expect-error a status or a range
        await http.get("/", { expect: "2xx" });
        // @ts-expect-error a request of a batch has an address
        await http.batch([{ method: "GET" }]);
        // @ts-expect-error one request, one response
        const [first, second] = await http.batch(["/"]);
        use([first, second]);
        // @ts-expect-error without a setup there is no data
        use(data.path);
      },
    },
  },
});

export const setupBelow = defineTest({
  scenarios: {
    readers: {
      executor: "shared-iterations",
      exec: ({ data }) => {
        // @ts-expect-error setup must be above the scenarios
        use(data.path);
      },
    },
  },
  // @ts-expect-error so its result differs from the type that the scenarios inferred
  setup: async ({ http }) => ({ path: (await http.get("/")).text() }),
});

// @ts-expect-error only defineTest makes a test
export const plain: Test = { scenarios: {} };
// @ts-expect-error it has no such scenario
export const other: Test<"writers"> = requests;
