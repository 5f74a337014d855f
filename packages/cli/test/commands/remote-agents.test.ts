import { expect, test } from "vitest";

import { targetWarning } from "../../src/commands/remote-agents.ts";

test("a target on the local machine causes a warning if agents may run on others", () => {
  expect(targetWarning("http://localhost:3000/shop", "0.0.0.0")).toBe(
    "the target is http://localhost:3000: each agent would load its own machine. Give an address that all agents can reach with --target.",
  );
  expect(targetWarning("http://localhost:3000", "127.0.0.1")).toBeNull();
  expect(targetWarning("http://shop.example", "0.0.0.0")).toBeNull();
  expect(targetWarning(null, "0.0.0.0")).toBeNull();
});

test("a target that would be each pod itself causes a warning with a remedy", () => {
  const inPods = (target: string | null): string | null => targetWarning(target, null);
  const targets = ["http://127.0.0.1:3000/shop", "https://localhost", "http://[::1]:80"];
  expect(targets.map(inPods)).toEqual(
    ["http://127.0.0.1:3000", "https://localhost", "http://[::1]"].map(
      (target) =>
        `the target is ${target}: each pod would load itself. Give an address that pods can reach with --target, such as http://my-service.my-namespace`,
    ),
  );
  expect(["http://shop.default", "http://10.0.0.5", null].map(inPods)).toEqual([null, null, null]);
});
