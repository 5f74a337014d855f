import { expect, test } from "vitest";

import { addVariables } from "../../../src/commands/import/env-files.ts";

const example = "# The user.\nLOGIN_USER=\n\n# The password.\nLOGIN_PASSWORD=\n";

test.each([
  ["no file becomes the example", null, example],
  ["an empty file becomes the example", "\n", example],
  ["a file that has them all stays", "LOGIN_PASSWORD=\nexport LOGIN_USER='jane'\n", null],
  [
    "what is missing is added below what there is",
    "# mine\nLOGIN_USER=jane",
    "# mine\nLOGIN_USER=jane\n\n# The password.\nLOGIN_PASSWORD=\n",
  ],
  ["a name in a comment is none", "# LOGIN_USER=\n\n\n", `# LOGIN_USER=\n\n${example}`],
])("%s", (_, existing, expected) => {
  expect(addVariables(existing, example)).toBe(expected);
});

test("where nothing is needed nothing is written", () => {
  expect(addVariables(null, "")).toBeNull();
  expect(addVariables("A=1\n", "")).toBeNull();
});
