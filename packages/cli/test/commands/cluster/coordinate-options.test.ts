import { expect, test } from "vitest";

import { targetWarning } from "../../../src/commands/cluster/coordinate-options.ts";

test("a target on the local machine causes a warning if agents may run on others", () => {
  expect(targetWarning("http://localhost:3000/shop", "0.0.0.0")).toBe(
    "the target is http://localhost:3000: each agent would load its own machine. Give an address that all agents can reach with --target.",
  );
  expect(targetWarning("http://localhost:3000", "127.0.0.1")).toBeNull();
  expect(targetWarning("http://shop.example", "0.0.0.0")).toBeNull();
  expect(targetWarning(null, "0.0.0.0")).toBeNull();
});
