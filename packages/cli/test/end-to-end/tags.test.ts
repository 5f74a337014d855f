import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("requests in two parallel groups carry the tag of their own group, even in a function that knows no groups", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest, type Http } from "@bearhug/sdk";
const fetchAll = async (http: Http, path: string) => {
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => setTimeout(resolve, 3));
    await http.get(path);
  }
};
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    both: {
      executor: "shared-iterations", vus: 3, iterations: 30,
      exec: async ({ http, page, group }) => {
        await page("shop", () => Promise.all([
          group("left", () => fetchAll(http, "/a")),
          group("right", async () => { await fetchAll(http, "/b"); await group("inner", () => fetchAll(http, "/c")); }),
        ]));
        await http.get("/outside");
      },
    },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(0);
  const placed = result.series
    .filter(({ metric, tags }) => metric === "http_reqs" && tags["scenario"] === "both")
    .map(({ tags, values }) => [tags["name"], tags["page"], tags["group"], values["count"]]);
  expect(placed.toSorted()).toEqual([
    ["GET /a", "shop", "left", 90],
    ["GET /b", "shop", "right", 90],
    ["GET /c", "shop", "right::inner", 90],
    ["GET /outside", undefined, undefined, 30],
  ]);
  expect(result.metrics["pages"]).toMatchObject({ values: { count: 30 } });
  expectBalanced(result);
});

test("a test's own tags, metrics and checks can be used by thresholds and are in the result", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  metrics: { basket_size: { type: "trend" }, coupons_used: { type: "counter" } },
  scenarios: {
    buyers: {
      executor: "shared-iterations", vus: 2, iterations: 40, tags: { team: "shop" },
      exec: async ({ http, check, iteration, metrics, tags }) => {
        const isEven = iteration.index % 2 === 0;
        tags.set("kind", isEven ? "even" : "odd");
        if (isEven) tags.set("coupon", "yes");
        check(await http.get("/"), { "says hello": (r) => r.text() === "hello\\n", "is even": () => isEven });
        metrics.basket_size.add(isEven ? 4 : 2);
        if (isEven) metrics.coupons_used.add(1);
      },
    },
  },
  thresholds: {
    basket_size: ["avg==3"],
    "basket_size{kind:even}": ["max==4", "min==4"],
    coupons_used: ["count==20"],
    "http_reqs{team:shop,kind:odd}": ["count==20"],
    "http_reqs{coupon:yes}": ["count==20"],
    "checks{check:says hello}": ["rate==1"],
  },
});`);
  const { exitCode, result, stdout } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(0);
  expect(result.checks.map(({ name, passes, fails }) => [name, passes, fails])).toEqual([
    ["says hello", 40, 0],
    ["is even", 20, 20],
  ]);
});
