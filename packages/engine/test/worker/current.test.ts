import { AsyncLocalStorage } from "node:async_hooks";

import { expect, test } from "vitest";

import { current, runOwnedHere, type Current } from "../../src/worker/current.ts";

test("owned code has its owner and the context in which its runner was made, also after an await", async () => {
  const ofProgram = new AsyncLocalStorage<string>();
  const runOwned = ofProgram.run("around the run", runOwnedHere);
  const seen: (readonly [string, Current | undefined, string | undefined])[] = [];
  const look = async (name: string): Promise<void> => {
    seen.push([name, current.getStore(), ofProgram.getStore()]);
    await Promise.resolve();
    seen.push([name, current.getStore(), ofProgram.getStore()]);
  };
  const first: Current = { clients: [] };
  const second: Current = { clients: [] };
  const running = [runOwned(first, look, "first"), runOwned(second, look, "second")];
  expect(current.getStore()).toBeUndefined();
  expect(ofProgram.getStore()).toBeUndefined();
  await Promise.all(running);
  expect(seen.map(([name, owner, around]) => [name, owner === first, owner === second, around])).toEqual([
    ["first", true, false, "around the run"],
    ["second", false, true, "around the run"],
    ["first", true, false, "around the run"],
    ["second", false, true, "around the run"],
  ]);
});

test("code that throws leaves no owner behind", () => {
  const fail = (): never => {
    throw new Error("no users");
  };
  expect(() => runOwnedHere()({ clients: [] }, fail, null)).toThrow("no users");
  expect(current.getStore()).toBeUndefined();
});
