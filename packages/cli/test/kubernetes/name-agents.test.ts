import { expect, test } from "vitest";

import { nameAgents } from "../../src/kubernetes/name-agents.ts";

test.each([
  [[7], "Agent 7"],
  [[2, 1], "Agents 1–2"],
  [[9, 1, 2, 3, 7], "Agents 1–3, 7 and 9"],
])("the agents %j are named %s", (shards, name) => {
  expect(nameAgents(shards)).toBe(name);
});
