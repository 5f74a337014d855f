import fc from "fast-check";
import { expect, test } from "vitest";
import { extract } from "@bearhug/sdk";
import type { CapturedRequest } from "../../src/index.ts";
import { type Exchange, requestsFrom, sent } from "./visit-in-steps.ts";

const characters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789".split("");
/** Random text of letters in both cases and digits, which no user would type. */
const secret = fc
  .array(fc.constantFrom(...characters), { minLength: 24, maxLength: 40 })
  .map((letters) => letters.map((letter, at) => (at % 3 === 0 ? String(at % 10) : letter)).join(""));
const name = fc.constantFrom("csrf", "token", "ticket", "__proto__", "a b", "await", "x-y", "constructor");

/** Ways in which a response supplies a value, and a request sends it back. */
const waysOut: readonly ((name: string, value: string) => NonNullable<Exchange["response"]>)[] = [
  (key, value) => ({ json: { filler: [1, { a: null }], deep: Object.fromEntries([[key, value]]) } }),
  (key, value) => ({ html: `<form><input name="${key}" type=hidden value='${value}'></form>` }),
  (key, value) => ({ html: `<head><meta name="${key}" content="${value}"></head>` }),
  (_, value) => ({ html: `<p>x</p><script>var handedOut = "${value}";</script>` }),
  (_, value) => ({ headers: { "x-handed-out": value } }),
];
const waysBack: readonly ((name: string, value: string) => Exchange)[] = [
  (key, value) => ({ path: "/back", form: Object.fromEntries([[key, value]]) }),
  (key, value) => ({ path: "/back", json: { list: [Object.fromEntries([[key, value]])] } }),
  (_, value) => ({ path: `/back/${value}`, json: {} }),
  (_, value) => ({ path: `/back?x=${value}`, json: {} }),
  (_, value) => ({ path: "/back", headers: { authorization: `Bearer ${value}` }, json: {} }),
];

const planted = fc.record({
  name,
  value: secret,
  out: fc.constantFrom(...waysOut),
  back: fc.constantFrom(...waysBack),
});

function responseOf({
  headers = {},
  html,
  json,
}: NonNullable<Exchange["response"]>): Parameters<typeof extract>[0] {
  const body = json === undefined ? (html ?? "<html>") : JSON.stringify(json);
  return {
    url: "https://shop.example/",
    redirected: true,
    status: 200,
    error: null,
    headers: {
      get: (header) => headers[header] ?? null,
      getAll: () => [],
      entries: () => Object.entries(headers),
    },
    text: () => body,
    json: () => JSON.parse(body) as never,
  };
}

function allText(request: CapturedRequest): string {
  return JSON.stringify([request.path, request.query, request.headers, request.body]);
}

test("a value planted in a response is extracted by an extractor that finds it, and not sent as recorded", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planted, { minLength: 1, maxLength: 4 }), async (plants) => {
      fc.pre(new Set(plants.map(({ value }) => value)).size === plants.length);
      const responses = plants.map((plant) => plant.out(plant.name, plant.value));
      const requests = await requestsFrom(
        ...responses.map((response, number) => ({ path: `/page-${"abcd"[number] ?? ""}`, response })),
        ...plants.map((plant) => plant.back(plant.name, plant.value)),
      );
      const names = new Set<string>();
      for (const [number, { value }] of plants.entries()) {
        const [found, ...others] = requests[number]?.extractions ?? [];
        expect(others).toEqual([]);
        expect(found?.name).toMatch(/^(?!await$|constructor$|__proto__$)[A-Za-z][A-Za-z0-9]{0,29}$/);
        expect(extract(responseOf(responses[number] ?? {}), found?.from ?? { json: "" })).toBe(value);
        names.add(found?.name ?? "");
        const user = requests[plants.length + number];
        expect(allText(user!)).toContain(
          JSON.stringify({ kind: "extracted", name: found?.name }).slice(1, -1),
        );
      }
      expect(names.size).toBe(plants.length);
      for (const request of requests)
        for (const { value } of plants) expect(allText(request)).not.toContain(value);
    }),
    { numRuns: 60 },
  );
});

test("nothing is extracted from a response to the same or a later request", async () => {
  await fc.assert(
    fc.asyncProperty(planted, async ({ name: key, value, out, back }) => {
      const requests = await requestsFrom(
        { ...back(key, value), response: out(key, value) },
        { path: "/later", response: out(key, value) },
        back(key, value),
      );
      expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test("an item of a list is never replaced", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.oneof(secret, fc.uuid(), fc.integer({ min: 1, max: 1e9 }).map(String)), {
        minLength: 2,
        maxLength: 9,
      }),
      fc.nat(8),
      async (ids, chosen) => {
        const id = ids[chosen % ids.length] ?? "";
        const [list, product] = await requestsFrom(
          { path: "/api/products", response: { json: { products: ids.map((one) => ({ id: one })) } } },
          { path: `/api/products/${id}` },
        );
        expect(list?.extractions).toEqual([]);
        expect(sent(product)["path"]).not.toMatch(/\{(?![A-Z_]+\})/);
        for (const hint of product?.hints ?? []) expect(hint.replaceAll(/\d\]/g, "")).not.toContain(id);
      },
    ),
    { numRuns: 40 },
  );
});

test("importing a capture twice gives the same model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planted, { maxLength: 3 }), async (plants) => {
      const exchanges = plants.flatMap((plant) => [
        { path: "/page", response: plant.out(plant.name, plant.value) },
        plant.back(plant.name, plant.value),
      ]);
      const all = [{ path: "/" }, ...exchanges];
      expect(await requestsFrom(...all)).toEqual(await requestsFrom(...all));
    }),
    { numRuns: 20 },
  );
});

test(
  "a capture with long values and a thousand responses is imported within 60 s",
  { timeout: 60_000 },
  async () => {
    const long = "aB3".repeat(70_000);
    const many: Exchange[] = Array.from({ length: 1_000 }, (_, number) => ({
      path: "/api/next",
      json: { cursor: `k3Jq9ZpX2vLm8RtW5yB${number}` },
      response: { json: { cursor: `k3Jq9ZpX2vLm8RtW5yB${number + 1}` } },
    }));
    const requests = await requestsFrom(
      {
        path: "/",
        response: { json: { token: long, other: "<".repeat(200_000), quotes: '"'.repeat(200_000) } },
      },
      { path: "/x", headers: { "x-token": long }, json: { text: "a=".repeat(100_000), token: `t:${long}` } },
      ...many,
    );
    expect(requests.flatMap(({ extractions }) => extractions).length).toBe(1_000);
    expect(sent(requests[1])).toMatchObject({ "x-token": "{token}" });
  },
);
