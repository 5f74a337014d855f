import { expect, test } from "vitest";
import { RememberedBodies } from "../../src/capture-file/open-archive.ts";

test("a body that many entries name is read once, and returned only as often as the limit allows", async () => {
  const loaded: string[] = [];
  const bodies = new RememberedBodies(async (name) => {
    loaded.push(name);
    return Promise.resolve(new Uint8Array(100));
  }, 350);
  const given = async (): Promise<(number | undefined)[]> => {
    const lengths: (number | undefined)[] = [];
    for (let at = 0; at < 5; at++) lengths.push((await bodies.of("a"))?.length);
    return lengths;
  };
  bodies.beginPass();
  expect(await given()).toEqual([100, 100, 100, undefined, undefined]);
  bodies.beginPass();
  expect(await given()).toEqual([100, 100, 100, undefined, undefined]);
  expect(loaded).toEqual(["a"]);
});

test("a missing body is null, and does not count toward the limit", async () => {
  const bodies = new RememberedBodies(async () => Promise.resolve(null), 1);
  expect(await bodies.of("a")).toBeNull();
  expect(await bodies.of("b")).toBeNull();
});
