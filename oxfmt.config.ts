import { defineConfig } from "oxfmt";

export default defineConfig({
  printWidth: 110,
  sortPackageJson: false,
  ignorePatterns: [
    // Written by tools.
    "pnpm-lock.yaml",
    "dist/",
    "packages/*/api.md",
    "packages/sdk/*.schema.json",
    "packages/cli/schemas/*.json",
    "coverage/",
    // Compared byte by byte with what the program writes.
    "packages/*/test/**/golden/",
  ],
  overrides: [{ files: ["packages/cli/bin/*.js"], options: { trailingComma: "none" } }],
});
