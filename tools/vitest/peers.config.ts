import { defineConfig } from "vitest/config";

import { shared } from "../../vitest.config.ts";

const rooms = "packages/http/test";

/** Slow tests, and those that compare with clients, servers and machines of others: `pnpm test:peers`. `pnpm check` leaves them out. */
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
          // A folder of a repository of others, or their data, would have tests of its own.
          exclude: ["**/node_modules/**", "**/fixtures/**"],
          testTimeout: 300_000,
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: "over-undici",
          include: [`${rooms}/**/*.test.ts`, "packages/cli/test/end-to-end/examples.test.ts"],
          // These are about transports of their own choice, and about a wait for the server's end that undici does not know.
          exclude: [
            `${rooms}/{net,http1,http2,hpack,pool,undici,delayed-phases}/**`,
            `${rooms}/closing-first.test.ts`,
          ],
          env: { ...shared.test.env, BEARHUG_TEST_TRANSPORT: "undici" },
        },
      },
    ],
  },
});
