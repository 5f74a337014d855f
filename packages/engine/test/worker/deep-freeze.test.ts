import { describe, expect, test } from "vitest";

import { deepFreeze } from "../../src/worker/deep-freeze.ts";

describe("the data that setup returned", () => {
  test("cannot be changed at any depth", () => {
    const users = [{ name: "a", tags: ["x"] }];
    const data = { users, deep: { deeper: { deepest: [1] } } };
    expect(deepFreeze(data)).toBe(data);
    expect(() => users.push({ name: "b", tags: [] })).toThrow(TypeError);
    expect(() => users[0]!.tags.push("y")).toThrow(TypeError);
    expect(() => (users[0]!.name = "c")).toThrow(TypeError);
    expect(() => (data.deep.deeper.deepest[0] = 2)).toThrow(TypeError);
  });

  test("may contain itself, maps, sets, dates and bytes", () => {
    const inMap = { a: 1 };
    const inSet = { b: 1 };
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const data = {
      loop,
      map: new Map([["key", inMap]]),
      set: new Set([inSet]),
      date: new Date(0),
      bytes: Uint8Array.of(1, 2),
      nothing: null,
      missing: undefined,
    };
    deepFreeze(data);
    for (const part of [loop, inMap, inSet, data.map, data.set, data])
      expect(Object.isFrozen(part)).toBe(true);
    expect(data.bytes[0]).toBe(1);
  });

  test("cannot be changed in its maps, sets and dates either, which can be read as before", () => {
    const inner = new Set([1]);
    const data = { map: new Map([["key", inner]]), set: new Set(["a"]), date: new Date(0) };
    deepFreeze(data);
    const changes = [
      () => data.map.set("other", inner),
      () => data.map.delete("key"),
      () => {
        data.map.clear();
      },
      () => inner.add(2),
      () => data.set.add("b"),
      () => data.set.delete("a"),
      () => {
        data.set.clear();
      },
      () => data.date.setTime(1),
      () => data.date.setUTCFullYear(2000),
      () => data.date.setMilliseconds(5),
    ];
    for (const change of changes) expect(change).toThrow("data is frozen");
    for (const change of changes) expect(change).toThrow(TypeError);
    expect([...data.map]).toEqual([["key", inner]]);
    expect([data.map.get("key")?.has(1), inner.size, data.set.has("a"), data.set.size]).toEqual([
      true,
      1,
      true,
      1,
    ]);
    expect(data.date.toISOString()).toBe("1970-01-01T00:00:00.000Z");
  });

  test("may have regular expressions, which match the same every time, also with the flags g and y", () => {
    const text = "id=1 id=22";
    const { all, here, plain } = structuredClone({ all: /id=(\d+)/g, here: /id=/y, plain: /=(\d+)/ });
    deepFreeze([all, here, plain]);
    for (let time = 0; time < 2; time++) {
      expect([all.test(text), here.test(text), plain.test(text), all.test("none")]).toEqual([
        true,
        true,
        true,
        false,
      ]);
      expect(text.match(all)).toEqual(["id=1", "id=22"]);
      expect(text.search(all)).toBe(0);
      expect(text.replace(all, "$1")).toBe("1 22");
      expect(text.replaceAll(all, (_, id: string) => `${id}!`)).toBe("1! 22!");
      expect([...text.matchAll(all)].map(([, id]) => id)).toEqual(["1", "22"]);
      expect(text.split(all)).toEqual(["", "1", " ", "22", ""]);
      expect(plain.exec(text)?.[1]).toBe("1");
      expect(new RegExp(all).exec(text)?.[1]).toBe("1");
    }
    // With a copy for each call, `while (all.exec(text))` would never end.
    expect(() => all.exec(text)).toThrow("In place of exec use matchAll, or exec of a copy");
    expect(() => (all.lastIndex = 3)).toThrow(TypeError);
  });

  test.each([1, "text", null, undefined, true, 10n])("may be %s", (value) => {
    expect(deepFreeze(value)).toBe(value);
  });

  test("may be nested as deeply as a clone can be", () => {
    let nested: unknown[] = [];
    const innermost = nested;
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    deepFreeze(nested);
    expect(Object.isFrozen(innermost)).toBe(true);
  });
});
