// Options that depend on environment variables compile with every version of TypeScript that users have.
import { defineTest, rows } from "@bearhug/sdk";
import type { Context, FromEnv, NoEnv, Scenario, SetupContext, Stages, Test } from "@bearhug/sdk";

export const fromVariables = defineTest({
  baseUrl: ({ env }) => `https://${env.STAGE}.shop.example`,
  allowHosts: ({ env }) => [`api.${env.STAGE}.shop.example`],
  http: ({ env }) => ({ timeout: env.PATIENCE, tls: { insecureSkipTlsVerify: !env.STRICT } }),
  warmup: ({ env }) => env.PEAK / 2,
  env: {
    STAGE: { default: "staging", description: "staging or www" },
    USERS: { type: "number", default: 10 },
    PEAK: { type: "duration", default: "30s" },
    PATIENCE: { type: "duration", default: 5000 },
    STRICT: { type: "boolean", default: false },
    API_TOKEN: { secret: true },
  },
  vuState: () => ({ visits: 0, basket: [] as string[] }),
  setup: ({ env }) => {
    const stage: string = env.STAGE;
    const peakMs: number = env.PEAK;
    const isStrict: boolean = env.STRICT;
    return { stage, peakMs, isStrict };
  },
  scenarios: {
    browse: {
      executor: "ramping-vus",
      stages: ({ env }) => [
        { duration: "10s", target: env.USERS },
        { duration: env.PEAK, target: env.USERS * 2 },
      ],
      tags: ({ env }) => ({ stage: env.STAGE }),
      env: { USERS: 20 },
      exec: ({ vu, data, env }) => {
        vu.state.visits += data.peakMs + env.USERS;
        vu.state.basket.push(env.STAGE);
      },
    },
    buy: {
      executor: "constant-arrival-rate",
      rate: ({ env }) => env.USERS / 2,
      duration: ({ env }) => (env.STRICT ? "5m" : "10s"),
      maxVUs: ({ env }) => env.USERS,
      exec: () => undefined,
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    http_req_duration: ({ env }) => [`p(95)<${env.STRICT ? 300 : 900}ms`, "p(99)<5s"],
    "iteration_duration{scenario:buy}": ({ env }) => (env.STRICT ? ["avg<1s"] : []),
  },
});

/** The state has the type that `vuState` resolves to. `vuState` receives the data, rows and variables. */
export const loggedIn = defineTest({
  env: { PASSWORD: { secret: true } },
  feeds: { users: rows([{ name: "ada" }]) },
  setup: () => ({ realm: "shop" }),
  vuState: async ({ http, data, env, feeds, vu, scenario, sleep }) => {
    const name: string = feeds.users.next().name;
    await http.post(`/login/${data.realm}/${scenario.name}`, { json: { name, password: env.PASSWORD } });
    await sleep("1s");
    return { name, number: vu.index };
  },
  scenarios: {
    a: {
      executor: "shared-iterations",
      exec: ({ vu }) => vu.state.name.toUpperCase() + vu.state.number.toFixed(),
    },
  },
});

/** Without a `vuState`, the state may contain anything. */
export const untypedState = defineTest({
  scenarios: { a: { executor: "shared-iterations", exec: ({ vu }) => (vu.state["seen"] = 1) } },
});

const rampTo: FromEnv<Stages, { readonly USERS: number }> = ({ env }) => [
  { duration: "1m", target: env.USERS },
];
const shared: Scenario<Context<unknown, NoEnv, { readonly USERS: number }>> = {
  executor: "ramping-vus",
  stages: rampTo,
  exec: ({ env }) => env.USERS.toFixed(),
};
const login = ({ env }: SetupContext<{ readonly USERS: number }>): number => env.USERS;

export const composedOfParts: Test = defineTest({
  env: { USERS: { type: "number" }, REGION: {} },
  setup: login,
  scenarios: { shared },
});

/** Names are inferred as in a test without functions. */
export const named: Test<"browse" | "buy", NoEnv> = fromVariables;
