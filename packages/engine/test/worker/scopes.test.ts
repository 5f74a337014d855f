import { setTimeout as wait } from "node:timers/promises";

import type { Http } from "@bearhug/sdk";
import type { AnyContext } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { iterationCounts, runScenario } from "./run-scenario.ts";

async function startSlow() {
  let count = 0;
  return startServer((_request, response) => void setTimeout(() => response.end("ok"), (count++ % 3) * 4));
}

/** Sends three requests, without any reference to pages and groups. */
async function fetchThree(http: Http, prefix: string): Promise<void> {
  await http.get(`/${prefix}/one`);
  await wait(1);
  await http.batch([`/${prefix}/two`, `/${prefix}/three`]);
}

function tagsByName(
  tags: readonly Readonly<Record<string, string>>[],
): Map<string, Readonly<Record<string, string>>> {
  return new Map(tags.map((one) => [one["name"] ?? "", one]));
}

describe("the tags of requests", () => {
  test("in parallel groups are those of the right group, even in functions that do not know of groups", async () => {
    const { url } = await startSlow();
    const groups = ["a", "b", "c", "d"];
    const { tagsOf, metric } = await runScenario(
      async ({ http, group }) => {
        await Promise.all(groups.map((name) => group(name, () => fetchThree(http, name))));
        await fetchThree(http, "outside");
      },
      { baseUrl: url, vus: 3, iterations: 9 },
    );
    const found = tagsByName(tagsOf("http_reqs"));
    expect(found.size).toBe(15);
    for (const group of groups) {
      for (const part of ["one", "two", "three"]) {
        expect(found.get(`GET /${group}/${part}`)).toMatchObject({
          group,
          scenario: "readers",
          status: "200",
        });
      }
      expect(metric(`http_reqs{group:${group}}`)).toMatchObject({ total: 27 });
      expect(metric(`group_duration{group:${group}}`)).toMatchObject({ count: 9 });
    }
    expect(found.get("GET /outside/one")).not.toHaveProperty("group");
    expect(metric("http_reqs")).toMatchObject({ total: 9 * 15 });
  });

  test("in pages with groups inside them carry both, and the page counts their bytes", async () => {
    const { url } = await startSlow();
    let received = 0;
    const { metric } = await runScenario(
      async ({ http, page, group }) => {
        const result = await page("home", async () => {
          const document = await http.get("/");
          const inner = await group("outer", () => group("inner", () => http.get("/inner")));
          received = document.size.received + inner.size.received;
          return "visited";
        });
        expect(result).toBe("visited");
        await http.get("/after");
      },
      { baseUrl: url },
    );
    expect(metric("http_reqs{page:home}")).toMatchObject({ total: 2 });
    expect(metric("http_reqs{page:home,group:outer::inner}")).toMatchObject({ total: 1 });
    expect(metric("http_reqs{name:GET /after,page:home}")).toBeUndefined();
    expect(metric("pages")).toMatchObject({ total: 1 });
    expect(metric("page_duration{page:home}")).toMatchObject({ count: 1 });
    expect(metric("page_bytes")).toMatchObject({ count: 1, sum: received * 1000 });
  });

  test("of two pages in parallel branches stay apart", async () => {
    const { url } = await startSlow();
    const { metric } = await runScenario(
      ({ http, page }) => Promise.all(["a", "b"].map((name) => page(name, () => fetchThree(http, name)))),
      { baseUrl: url, iterations: 5 },
    );
    for (const name of ["a", "b"]) expect(metric(`http_reqs{page:${name}}`)).toMatchObject({ total: 15 });
    expect(metric("http_reqs{page:a,name~:/b/}")).toBeUndefined();
  });

  test("are those of the scenario, the iteration and the request together", async () => {
    const { url } = await startSlow();
    const seen: unknown[] = [];
    const { metric } = await runScenario(
      async ({ http, tags, iteration }) => {
        seen.push(tags.get("kind"));
        await http.get("/before");
        tags.set("kind", "vip");
        await http.get("/vip", { tags: { step: "1" } });
        tags.delete("kind");
        await http.get("/after");
        if (iteration.index === 0) tags.set("kind", "left behind");
      },
      { baseUrl: url, iterations: 2, tags: { team: "web" } },
    );
    expect(seen).toEqual([undefined, undefined]);
    expect(metric("http_reqs{team:web}")).toMatchObject({ total: 6 });
    expect(metric("http_reqs{kind:vip,step:1,name:GET /vip}")).toMatchObject({ total: 2 });
    expect(metric("http_reqs{kind:vip}")).toMatchObject({ total: 2 });
    expect(metric("http_reqs{kind:left behind}")).toBeUndefined();
  });
});

describe("tags that a test cannot set", () => {
  test.each([
    { tags: { status: "200" }, says: 'tag "status": bearhug sets it itself' },
    { tags: { page: "home" }, says: 'tag "page": bearhug sets it itself' },
    { tags: { user: 7 }, says: 'tags: "user" must be a string, but is 7' },
    { tags: { user: undefined }, says: 'tags: "user" must be a string, but is undefined' },
  ])("$says: the iteration fails, nothing is recorded", async ({ tags, says }) => {
    const server = await startServer((_request, response) => response.end());
    const { accounting, errors, metric } = await runScenario(
      async ({ http }) => {
        await http.get("/", { tags: tags as never });
      },
      { baseUrl: server.url },
    );
    expect(iterationCounts(accounting)).toMatchObject({ started: 1, failed: 1 });
    expect(errors()[0]?.message).toContain(says);
    expect(server.lines).toEqual([]);
    expect(metric("http_reqs")).toBeUndefined();
  });
});

describe("pages and groups", () => {
  test("cannot be nested if they are pages: the iteration fails and says so", async () => {
    const { errors } = await runScenario(({ page }) => page("outer", () => page("inner", () => 1)));
    expect(errors()).toMatchObject([{ code: "TEST_THREW", count: 1 }]);
    expect(errors()[0]?.message).toContain("pages cannot be nested");
  });

  test("that throw are timed all the same, and pass the error on", async () => {
    const thrown: unknown[] = [];
    const { metric } = await runScenario(async ({ page, group }) => {
      for (const body of [page, group]) {
        await body("broken", () => {
          throw new RangeError("broken");
        }).catch((error: unknown) => thrown.push(error));
      }
    });
    expect(thrown.map(String)).toEqual(["RangeError: broken", "RangeError: broken"]);
    expect(metric("page_duration{page:broken}")).toMatchObject({ count: 1 });
    expect(metric("group_duration{group:broken}")).toMatchObject({ count: 1 });
  });

  test("add their tags to checks and to the test's own metrics", async () => {
    const record = ({ check, metrics }: AnyContext, value: number): void => {
      check(value, { "is small": (one) => one < 5 }, { step: "last" });
      metrics["basket_size"]?.add(value);
    };
    const { metric } = await runScenario(async (context) => {
      await context.page("home", async () =>
        context.group("deep", () => {
          record(context, 3);
        }),
      );
      record(context, 7);
    });
    expect(metric("checks")).toMatchObject({ trues: 1, samples: 2 });
    expect(metric("checks{page:home,group:deep,check:is small,step:last}")).toMatchObject({
      trues: 1,
      samples: 1,
    });
    expect(metric("basket_size{page:home}")).toMatchObject({ count: 1, max: 3000 });
    expect(metric("basket_size")).toMatchObject({ count: 2 });
  });
});
