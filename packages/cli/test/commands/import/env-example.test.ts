import { expect, test } from "vitest";

import { addVariables } from "../../../src/commands/import/env-files.ts";

const example = "# The user.\nLOGIN_USER=\n\n# The password.\nLOGIN_PASSWORD=\n";

test.each([
  ["no file becomes the example", null, example],
  ["an empty file becomes the example", "\n", example],
  ["a file with all variables stays unchanged", "LOGIN_PASSWORD=\nexport LOGIN_USER='jane'\n", null],
  [
    "missing variables are appended to an existing file",
    "# mine\nLOGIN_USER=jane",
    "# mine\nLOGIN_USER=jane\n\n# The password.\nLOGIN_PASSWORD=\n",
  ],
  ["a name in a comment does not count as a variable", "# LOGIN_USER=\n\n\n", `# LOGIN_USER=\n\n${example}`],
])("%s", (_, existing, expected) => {
  expect(addVariables(existing, example)).toBe(expected);
});

test("an example without variables changes nothing", () => {
  expect(addVariables(null, "")).toBeNull();
  expect(addVariables("A=1\n", "")).toBeNull();
});
