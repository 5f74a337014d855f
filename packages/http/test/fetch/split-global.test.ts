import { expect, onTestFinished, test } from "vitest";

import { SplitGlobal } from "../../src/fetch/split-global.ts";

const name = "globalOfThisTest";
const read = (): unknown => Reflect.get(globalThis, name);

test("a getter from before that defines the global anew, as Node's do, does not end its replacement", () => {
  let loads = 0;
  Object.defineProperty(globalThis, name, {
    configurable: true,
    enumerable: false,
    get: () => {
      loads++;
      Object.defineProperty(globalThis, name, { value: "loaded", writable: true });
      return "loaded";
    },
  });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
  let isExempt = false;
  const split = new SplitGlobal(name, () => isExempt);
  split.replace({ get: () => "replaced", set: () => undefined });
  expect([read(), loads]).toEqual(["replaced", 0]);
  isExempt = true;
  expect([read(), read(), loads]).toEqual(["loaded", "loaded", 1]);
  isExempt = false;
  expect([read(), split.isRedefined]).toEqual(["replaced", false]);
  split.restore();
  expect(Object.getOwnPropertyDescriptor(globalThis, name)).toEqual({
    value: "loaded",
    writable: true,
    configurable: true,
    enumerable: false,
  });
});
