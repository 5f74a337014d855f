import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { SeriesStore } from "../src/series-store.ts";
import { SnapshotTaker } from "../src/snapshot.ts";
import { rootScope } from "./root-scope.ts";

describe("a scope", () => {
  test("adds the tags of pages and groups to those around it, groups as a path", () => {
    const { root } = rootScope();
    expect(root.page("home").tags).toEqual({ scenario: "readers", page: "home" });
    expect(root.group("a").group("b").tags).toEqual({ scenario: "readers", group: "a::b" });
    expect(root.page("home").group("a").group("b").with({ user: "x" }).tags).toEqual({
      scenario: "readers",
      page: "home",
      group: "a::b",
      user: "x",
    });
  });

  test("is the same object each time it is entered", () => {
    const { root } = rootScope();
    expect(root.page("home").group("a")).toBe(root.page("home").group("a"));
    expect(root.with({ a: "1", b: "2" })).toBe(root.with({ b: "2", a: "1" }));
    expect(root.page("x")).not.toBe(root.group("x"));
  });

  test("is never the one of the tags requested just before", () => {
    const { root } = rootScope();
    const tags = { a: "1", b: "2" };
    const both = root.with(tags);
    expect(root.with({ a: "1" }).tags).toEqual({ scenario: "readers", a: "1" });
    expect(root.with({}).tags).toEqual({ scenario: "readers" });
    expect(root.with(tags)).toBe(both);
    tags.b = "changed";
    expect(root.with(tags).tags).toEqual({ scenario: "readers", a: "1", b: "changed" });
  });

  test("has its own tags if the first call adds none", () => {
    const { root } = rootScope();
    expect(root.with({}).tags).toEqual({ scenario: "readers" });
  });

  test("logs checks that threw under the tags around them, and describes only the first", () => {
    const { root, registry } = rootScope();
    const fault = { message: ownWords`boom`, firstAtMs: 5, position: null };
    root.page("home").checkThrew("is fine", () => fault);
    root.page("home").checkThrew("is fine", () => expect.unreachable("it was described before"));
    root.group("form").checkThrew("is fine", () => fault);
    root.checkThrew("is fine", () => fault);
    expect(registry.checkFaults.drain()).toEqual([
      { ...fault, check: "is fine", scenario: "readers", page: "home", group: null, count: 2 },
      { ...fault, check: "is fine", scenario: "readers", page: null, group: "form", count: 1 },
      { ...fault, check: "is fine", scenario: "readers", page: null, group: null, count: 1 },
    ]);
  });

  test("puts a flood of page names into (other) without losing a sample", () => {
    const { root, registry } = rootScope();
    for (let page = 0; page < 3000; page++) root.page(`page ${page}`).series.counter("pages").add(1);
    const store = new SeriesStore();
    store.add(0, new SnapshotTaker(registry).take());
    const total = store.select({ metric: "pages", filters: [] });
    expect(total?.type === "counter" ? total.total : null).toBe(3000);
    expect([...registry.all()].length).toBe(1001);
    expect(root.page("another").tags).toEqual({ scenario: "readers", page: "(other)" });
  });

  test("puts a flood of tag sets into one with the same tags, and reports which tags it no longer distinguishes", () => {
    const { root, registry } = rootScope();
    for (let user = 0; user < 1000; user++) root.with({ user: String(user), kind: "vip" });
    expect(registry.foldedTags).toEqual([]);
    expect(registry.overflowed).toBeNull();
    const more = root.with({ user: "more", kind: "vip" });
    expect(more.tags).toEqual({ scenario: "readers", user: "(other)", kind: "(other)" });
    expect(root.with({ user: "yet more", kind: "x" })).toBe(more);
    expect(root.with({ step: "1" }).tags).toEqual({ scenario: "readers", step: "(other)" });
    expect(root.with({ user: "7", kind: "vip" }).tags).toMatchObject({ user: "7", kind: "vip" });
    expect([...registry.foldedTags].sort()).toEqual(["kind", "step", "user"]);
    expect(registry.overflowed).toEqual({ user: "more", kind: "vip" });
  });

  test("reports floods of pages and groups, too", () => {
    const { root, registry } = rootScope();
    for (let page = 0; page < 1001; page++) root.page(`page ${page}`);
    expect(registry.foldedTags).toEqual(["page"]);
    root.group("one more");
    expect(registry.foldedTags).toEqual(["page", "group"]);
  });

  test.each(["scenario", "page", "group", "name", "method", "status", "protocol", "expected_response"])(
    "refuses to let a test set the tag %s",
    (name) => {
      const { root } = rootScope();
      expect(() => root.with({ [name]: "mine" })).toThrow(TypeError);
      expect(() => root.with({ fine: "1", [name]: "mine" })).toThrow(`tag "${name}": bearhug sets it itself`);
    },
  );

  test("lets a test set the tag check, for checks made elsewhere", () => {
    expect(rootScope().root.with({ check: "mine" }).tags).toEqual({ scenario: "readers", check: "mine" });
  });

  test.each([7, null, undefined, true, ["a"]])("refuses %j as the value of a tag, each time", (value) => {
    const { root } = rootScope();
    const tags = { user: value } as unknown;
    for (let time = 0; time < 2; time++)
      expect(() => root.with(tags as Record<string, string>)).toThrow('tag "user": must be a string');
    expect(root.with({ user: "7" }).tags).toMatchObject({ user: "7" });
  });

  test("keeps a flood of groups apart from a flood of pages", () => {
    const { root } = rootScope();
    for (let page = 0; page < 1000; page++) root.page(`page ${page}`);
    expect(root.page("one more").tags).toEqual({ scenario: "readers", page: "(other)" });
    expect(root.group("one more").tags).toEqual({ scenario: "readers", group: "(other)" });
  });

  test("counts checks by name under the tags around them, also beyond the names that it remembers", () => {
    const { root, registry } = rootScope();
    const home = root.page("home");
    for (let name = 0; name < 1200; name++) home.check(`check ${name}`).add(name % 2 === 0);
    home.check("check 1199").add(false);
    const store = new SeriesStore();
    store.add(0, new SnapshotTaker(registry).take());
    const all = store.select({ metric: "checks", filters: [] });
    expect(all).toMatchObject({ type: "rate", trues: 600, samples: 1201 });
  });
});
