import { join } from "node:path";
import { defineConfig, includeIgnoreFile } from "eslint/config";
import tseslint from "typescript-eslint";

// Linting is oxlint's job (oxlint.config.ts). This is the only rule that it lacks, and it is slower than all
// others together.
export default defineConfig(
  includeIgnoreFile(join(import.meta.dirname, "../.gitignore")),
  {
    ignores: [
      "packages/*/test/**/golden/",
      "packages/cli/test/peers/applications/*/*/",
      "packages/cli/test/peers/applications/*/*.js",
      "packages/cli/bin/",
    ],
  },
  {
    files: ["**/*.{ts,js,mjs}"],
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" },
    extends: [tseslint.configs.base],
    // One program for everything: a program for each project would check the packages' sources three times.
    languageOptions: {
      parserOptions: {
        project: "tools/tsconfig.lint.json",
        tsconfigRootDir: join(import.meta.dirname, ".."),
      },
    },
    rules: { "@typescript-eslint/no-unsafe-class-instance-assignment": "error" },
  },
  {
    // The report page runs in a browser, and has its own tsconfig.
    files: ["packages/report/src/report-page/**"],
    languageOptions: {
      parserOptions: { project: "packages/report/src/report-page/tsconfig.json" },
    },
  },
);
