// No marked line may compile: an expected error that does not occur is an error itself.
import { defineTest } from "@bearhug/sdk";

const exec = (): void => undefined;

export const declarations = defineTest({
  env: {
    // @ts-expect-error the default of a number is a number
    USERS: { type: "number", default: "10" },
    // @ts-expect-error that is not a duration
    PEAK: { type: "duration", default: "30 sec" },
    // @ts-expect-error without a type, the default is a string
    SIZE: { default: 5 },
    // @ts-expect-error there is no such type
    WHEN: { type: "date" },
  },
  scenarios: { a: { executor: "shared-iterations", exec } },
});

export const options = defineTest({
  env: { USERS: { type: "number", default: 10 }, STAGE: {} },
  // @ts-expect-error an address is a string
  baseUrl: ({ env }) => env.USERS,
  scenarios: {
    // @ts-expect-error a number of users is a number
    a: { executor: "constant-vus", duration: "1m", vus: ({ env }) => env.STAGE, exec },
    // @ts-expect-error the test declares no such variable
    b: { executor: "constant-vus", duration: "1m", vus: ({ env }) => Number(env.USER), exec },
    // @ts-expect-error the executor cannot depend on variables
    c: { executor: () => "constant-vus", duration: "1m", exec },
    // @ts-expect-error the variable is a number
    d: { executor: "constant-vus", duration: "1m", env: { USERS: "5" }, exec },
  },
  thresholds: {
    // @ts-expect-error no such aggregation of a rate
    http_req_failed: ({ env }) => [`p(95)<${env.USERS}ms`],
    // @ts-expect-error no such metric
    http_req_duraton: () => ["p(95)<1s"],
  },
});

export const state = defineTest({
  vuState: () => ({ visits: 0 }),
  scenarios: {
    a: {
      executor: "shared-iterations",
      // @ts-expect-error not a property of the state
      exec: ({ vu }) => String(vu.state.basket),
    },
  },
});

export const promisedState = defineTest({
  vuState: async ({ vu }) => {
    // @ts-expect-error the state does not exist yet
    await Promise.resolve(vu.state);
    return { token: "" };
  },
  scenarios: {
    a: {
      executor: "shared-iterations",
      // @ts-expect-error the state is not a promise
      exec: ({ vu }) => String(vu.state.then),
    },
  },
});
