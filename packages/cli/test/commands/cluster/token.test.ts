import { expect, test } from "vitest";

import { readToken } from "../../../src/commands/cluster/token.ts";

test.for([
  ["16-characters-ok", []],
  ["15-characters-x", ["BEARHUG_TOKEN: must have at least 16 characters, without spaces."]],
  ["with a space, but long", ["BEARHUG_TOKEN: must have at least 16 characters, without spaces."]],
] as const)("a token in the environment must have 16 characters and no spaces: %s", ([token, expected]) => {
  const problems: string[] = [];
  const read = readToken(undefined, { BEARHUG_TOKEN: token }, problems);
  expect(problems).toEqual(expected);
  expect(read).toBe(expected.length === 0 ? token : null);
});
