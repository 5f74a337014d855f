import { configDefaults, defineConfig } from "vitest/config";

import base from "./vitest.config.ts";

/** The tests of one mutated room: scripts/mutate.mjs names their folder. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["**/*.test.ts"],
    exclude: [
      ...configDefaults.exclude,
      "**/fixtures/**",
      // These take seconds, and every mutant that they reach would wait for them.
      "**/{completions,confidence-coverage,result-size,running-accounts,tag-floods,timed-out-phases,timeouts,type-versions}.test.ts",
      // Where http/ as a whole is the folder, the rooms inside it have tests of their own.
      "{connection,delayed-phases,failures,http1,http2,request,response,session}/**",
    ],
  },
});
