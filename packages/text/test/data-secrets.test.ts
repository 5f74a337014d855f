import { expect, test } from "vitest";

import { secretsIn } from "../src/data-secrets.ts";
import { createMask } from "../src/secret-mask.ts";

test("values under names of secrets are found in data, however deep they are", () => {
  const loop: Record<string, unknown> = { api_key: "k-Zq7w9x4K" };
  loop["itself"] = loop;
  const data = {
    users: [
      { name: "Ann Clover", password: "pa-Zq7w9x4K", keyword: "running shoes 42" },
      { name: "Bob", password: "honey", sortKey: "price-2024" },
    ],
    login: { token: { value: "to-Zq7w9x4K", type: "bearer" } },
    tokens: ["t1-Zq7w9x4K", "t2-Zq7w9x4K"],
    byName: new Map([["ann", { clientSecret: "cs-Zq7w9x4K" }]]),
    loop,
    bytes: new Uint8Array(1_000_000),
    none: null,
    count: 12,
  };
  expect(secretsIn(data).toSorted()).toEqual(
    ["cs", "k", "pa", "t1", "t2", "to"].map((kind) => `${kind}-Zq7w9x4K`),
  );
});

test.each([1, 400, 19_000])("each of %i given secrets is masked, as it is and escaped", (count) => {
  const mask = createMask([]);
  const secrets = Array.from({ length: count }, (_, index) => `p/${index}-Zq7w+x4K`);
  mask.addDataSecrets(secrets);
  for (const secret of [secrets[0], secrets[count >> 1], secrets.at(-1)].map(String)) {
    const text = `${secret} ${encodeURIComponent(secret)} ${JSON.stringify(JSON.stringify(secret))}`;
    expect(mask.hide(text)).not.toMatch(/Zq7w|x4K/);
  }
  expect(mask.isGivenFull).toBe(false);
});

test("a bounded number of secrets of a huge table is kept, and the mask reports that", () => {
  const mask = createMask([]);
  mask.addDataSecrets(
    secretsIn(Array.from({ length: 50_000 }, (_, index) => ({ password: `p${index}-Zq7w9x4K` }))),
  );
  expect(mask.isGivenFull).toBe(true);
});
