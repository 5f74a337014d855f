import { defineConfig } from "vitest/config";

import { shared } from "../../vitest.config.ts";

const httpTests = "packages/http/test";

/**
 * Slow tests, and those that compare with other clients, servers and machines: `pnpm test:peers`. `pnpm
 * check` skips them.
 */
export default defineConfig({
  test: {
    globalSetup: ["tools/vitest/command-setup.ts"],
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: "peers",
          include: ["packages/cli/test/peers/**/*.test.ts"],
          // Folders with other projects' repositories or data have their own tests.
          exclude: ["**/node_modules/**", "**/fixtures/**"],
          testTimeout: 300_000,
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: "over-undici",
          include: [`${httpTests}/**/*.test.ts`, "packages/cli/test/end-to-end/examples.test.ts"],
          // These choose their transport themselves, or need to notice that a server closes a connection,
          // which undici does not report.
          exclude: [
            `${httpTests}/{net,http1,http2,hpack,pool,undici,delayed-phases}/**`,
            `${httpTests}/closing-first.test.ts`,
          ],
          env: { ...shared.test.env, BEARHUG_TEST_TRANSPORT: "undici" },
        },
      },
    ],
  },
});
