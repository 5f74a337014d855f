import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import type { CaptureModel } from "../../src/index.ts";
import { entryOf, importEntries, pathsOf, requestsOf } from "../har-file.ts";

async function parameterized(...entries: readonly unknown[]): Promise<CaptureModel> {
  return await importEntries(entries, undefined, { parameterize: true });
}

function entryFor(url: string, request: Record<string, unknown> = {}): Record<string, unknown> {
  const content = { size: 2, mimeType: "application/json", text: "{}" };
  return entryOf(`https://shop.example${url}`, { request, response: { content } });
}

function postEntry(url: string, json: unknown): Record<string, unknown> {
  return entryFor(url, {
    method: "POST",
    postData: { mimeType: "application/json", text: JSON.stringify(json) },
  });
}

describe("similar requests take their values from a table", () => {
  test("from path segments and query parameters", async () => {
    const { tables, ...model } = await parameterized(
      entryFor("/api/products/5?colour=red&size=m"),
      entryFor("/api/products/22?colour=blue&size=m"),
      entryFor("/api/products/7?colour=red&size=m"),
    );
    expect(tables).toEqual([
      {
        name: "products",
        columns: ["product", "colour"],
        rows: [
          ["5", "red"],
          ["22", "blue"],
          ["7", "red"],
        ],
      },
    ]);
    expect(pathsOf({ ...model, tables }).flat()).toEqual(Array(3).fill("/api/products/{product}"));
    const [request] = model.steps[0]?.waves[0]?.requests ?? [];
    expect(request?.query.map(({ value }) => value)).toEqual([
      [{ kind: "column", table: "products", column: "colour", row: 0 }],
      [{ kind: "text", text: "m" }],
    ]);
  });

  test("which may choose another page, so only the path where they end is checked", async () => {
    const posts = ["a", "b", "c"].map((route) =>
      entryOf(`https://shop.example/index.php?route=${route}`, {
        request: { method: "POST", postData: { mimeType: "application/json", text: "{}" } },
        response: { status: 302, headers: [{ name: "Location", value: "/index.php?route=done" }] },
      }),
    );
    const landings = (model: CaptureModel) =>
      requestsOf(model).map(({ landsOn, landingQuery }) => [landsOn, landingQuery]);
    expect(landings(await importEntries(posts))).toEqual(Array(3).fill(["/index.php", "route=done"]));
    expect(landings(await parameterized(...posts))).toEqual(Array(3).fill(["/index.php", undefined]));
  });

  test("with a row for each request, which includes values of its body", async () => {
    const { tables } = await parameterized(
      postEntry("/shops/1/cart", { item: { sku: "a1", quantity: 2 }, gift: false }),
      postEntry("/shops/2/cart", { item: { sku: "b2", quantity: 2 }, gift: false }),
      postEntry("/shops/3/cart", { item: { sku: "c3", quantity: 5 }, gift: false }),
      postEntry("/shops/4/cart", { item: { sku: "d4" }, gift: false }),
    );
    expect(tables).toEqual([
      {
        name: "cart",
        columns: ["shop", "sku", "quantity"],
        rows: [
          ["1", "a1", "2"],
          ["2", "b2", "2"],
          ["3", "c3", "5"],
        ],
      },
    ]);
  });

  test("from words that identify one of many resources, but not from names of single pages", async () => {
    const { tables } = await parameterized(
      ...["red-shoes", "blue-hat", "old-coat"].map((name) => entryFor(`/shop/${name}`)),
      ...["about-us", "find-us", "join-us"].map((name) => entryFor(`/${name}`)),
    );
    expect(tables.map(({ name, rows }) => [name, rows.flat()])).toEqual([
      ["shop", ["red-shoes", "blue-hat", "old-coat"]],
    ]);
  });
});

describe("values that are not moved into a table", () => {
  test("fewer than three, or all equal", async () => {
    const { tables } = await parameterized(
      entryFor("/a/1"),
      entryFor("/a/2"),
      ...[1, 2, 3].map(() => entryFor("/b/1")),
    );
    expect(tables).toEqual([]);
  });

  test("static files, and requests with another response status", async () => {
    const { tables } = await parameterized(
      ...[1, 2, 3].map((number) => entryFor(`/images/${number}.png`)),
      entryFor("/a/1"),
      entryFor("/a/2"),
      { ...entryFor("/a/3"), response: { status: 404, headers: [], content: {} } },
    );
    expect(tables).toEqual([]);
  });

  test("secrets, which are variables already", async () => {
    const { tables } = await parameterized(
      postEntry("/login", { shop: "a1", user: "ann0", password: "hunter2x" }),
      postEntry("/login", { shop: "b2", user: "ann1", password: "tr0ub4dor" }),
      postEntry("/login", { shop: "c3", user: "ann2", password: "c0rrecth" }),
    );
    expect(tables).toEqual([{ name: "login", columns: ["shop"], rows: [["a1"], ["b2"], ["c3"]] }]);
  });
});

test("names are unique, and valid as identifiers and file names on any system, whatever the capture contains", async () => {
  const name = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom("../../x", "con", "__proto__", "1st", "Search", "search"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 5 }), name, async (paths, parameter) => {
      const entries = paths.flatMap((path) =>
        [1, 2, 3].map((number) =>
          entryFor(
            `/${encodeURIComponent(path.toWellFormed())}/${number}?${encodeURIComponent(parameter.toWellFormed())}=${number}`,
          ),
        ),
      );
      const { tables } = await parameterized(...entries);
      const names = tables.map((table) => table.name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      for (const word of tables.flatMap((table) => [table.name, ...table.columns]))
        expect(word).toMatch(/^(?!(con|prn|aux|nul)$)[A-Za-z][A-Za-z0-9]{0,40}$/i);
      for (const { columns, rows } of tables) {
        expect(new Set(columns).size).toBe(columns.length);
        expect(rows.every((row) => row.length === columns.length)).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});
