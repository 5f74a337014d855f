import { startServer } from "../test-server.ts";
import type { BrokenKind } from "./broken-kind.ts";
import { bothModels, moduleOf, once, type TestSource } from "./test-source.ts";

/** Returns a test against a healthy server. */
async function healthy(exec: string, options = ""): Promise<TestSource> {
  const { url } = await startServer();
  return { baseUrl: url, exec, options };
}

const get = `({ http }) => http.get("/")`;

/** Faults in the code of scenarios. */
const scenarios: readonly BrokenKind[] = [
  {
    kind: "A typo in the options of a request",
    runs: async () => bothModels(await healthy(`({ http }) => http.post("/", { josn: {} } as never)`)),
  },
  {
    kind: "A metric that is not declared",
    runs: async () =>
      bothModels(
        await healthy(`async ({ http, metrics }) => { await http.get("/"); (metrics as any).nope.add(1); }`),
      ),
  },
  {
    kind: "A variable that is not declared",
    runs: async () =>
      bothModels(
        await healthy(
          `({ http, env }) => http.get("/" + (env as any).REGOIN)`,
          `env: { REGION: { default: "eu" } },`,
        ),
      ),
  },
  {
    kind: "A column that no row of a feed has",
    runs: async () =>
      bothModels(
        await healthy(
          `({ http, feeds }) => http.get("/" + (feeds as any).users.next().nmae)`,
          `feeds: { users: [{ name: "ada" }] },`,
        ),
      ),
  },
  {
    kind: "A value that is missing in a URL",
    runs: async () =>
      bothModels(
        await healthy(
          'async ({ http }) => http.get(`/users/${(await http.get("/")).headers.get("x-user")}`)',
        ),
      ),
  },
  {
    kind: "A host that the test does not name",
    runs: async () => bothModels(await healthy(`({ http }) => http.get("http://127.0.0.2:9/")`)),
  },
  {
    kind: 'An argument of the wrong form: `think("1")`',
    runs: async () => bothModels(await healthy(`({ think }) => think("1" as never)`)),
  },
  {
    kind: "A promise given to `check`",
    runs: async () =>
      bothModels(
        await healthy(
          `({ http, check }) => { check(http.get("/") as never, { ok: (r) => r.status === 200 }); }`,
        ),
      ),
  },
  {
    kind: "A page without `await`, in which something throws",
    runs: async () =>
      bothModels(
        await healthy(
          `({ http, page }) => { void page("home", async () => { await http.get("/"); throw new Error("not confirmed"); }); }`,
        ),
      ),
  },
  {
    kind: "`forEach` with an async function that throws",
    runs: async () =>
      bothModels(
        await healthy(
          `({ http }) => { [1].forEach(async () => { await http.get("/"); throw new Error("not confirmed"); }); }`,
        ),
      ),
  },
  {
    kind: "`sleep` without `await`",
    runs: async () =>
      bothModels(await healthy(`async ({ http, sleep }) => { await http.get("/"); sleep("1s"); }`)),
  },
  {
    kind: "A scenario that throws `null`",
    runs: async () => bothModels(await healthy(`async ({ http }) => { await http.get("/"); throw null; }`)),
  },
  {
    kind: "An unexpected response",
    runs: async () => bothModels(await healthy(`async ({ http }) => (await http.get("/")).json().user.id`)),
  },
  {
    kind: "A check that always throws",
    runs: async () =>
      bothModels(
        await healthy(
          `async ({ http, check }) => { check(await http.get("/"), { ok: (r) => r.json().ok === true }); }`,
        ),
      ),
  },
  {
    kind: "An interval of the module that throws",
    runs: async () =>
      once(
        await healthy(
          `async ({ http, sleep }) => { await http.get("/"); await sleep("400ms"); }`,
          `...(setInterval(() => { throw new Error("of the module"); }, 300).unref() && {}),`,
        ),
      ),
  },
  {
    kind: "A scenario that makes no request",
    runs: async () => bothModels(await healthy(`({ sleep }) => sleep("5ms")`)),
  },
  {
    kind: "A scenario that waits forever",
    runs: async () => bothModels(await healthy(`() => new Promise(() => undefined)`)),
  },
  {
    kind: "`process.exit(0)` in a scenario",
    runs: async () =>
      bothModels(await healthy(`async ({ http }) => { await http.get("/"); process.exit(0); }`)),
  },
  {
    kind: "`process.exit(0)` in a scenario, with `--workers 0`",
    runs: async () =>
      once(await healthy(`async ({ http }) => { await http.get("/"); process.exit(0); }`), [
        "--workers",
        "0",
      ]),
  },
  {
    kind: "`abort()`",
    runs: async () => bothModels(await healthy(`({ abort }) => abort("no users left")`)),
  },
  {
    kind: "Code that blocks the event loop",
    runs: async () => {
      const exec = `({ http }) => { const until = performance.now() + 80; while (performance.now() < until); return http.get("/"); }`;
      const load = `executor: "constant-arrival-rate", rate: 50, duration: "1s", gracefulStop: "1s"`;
      return once({ ...(await healthy(exec)), load }, ["--workers", "1"]);
    },
  },
  {
    kind: "A warm-up longer than the load",
    runs: async () => {
      const load = `executor: "shared-iterations", iterations: 3, maxDuration: "10s"`;
      return once({ ...(await healthy(get, `warmup: "5s",`)), load });
    },
  },
];

/** Faults outside of scenarios. */
const stages: readonly BrokenKind[] = [
  {
    kind: "`setup` that throws",
    runs: async () => once(await healthy(get, `setup: () => { throw new Error("no database"); },`)),
  },
  {
    kind: "`setup` whose login is refused",
    runs: async () => {
      const { url } = await startServer((_request, response) => {
        response.statusCode = 401;
        response.end("who are you?");
      });
      const setup = `setup: async ({ http }) => (await http.post("/login")).json(),`;
      return once({ baseUrl: url, exec: get, options: setup });
    },
  },
  {
    kind: "`setup` that returns a function",
    runs: async () => once(await healthy(get, `setup: () => ({ pick: () => 1 }),`)),
  },
  {
    kind: "`setup` that never ends",
    runs: async () =>
      once(await healthy(get, `setupTimeout: "500ms", setup: () => new Promise(() => undefined),`)),
  },
  {
    kind: "`teardown` that throws",
    runs: async () => once(await healthy(get, `teardown: () => { throw new Error("not mine"); },`)),
  },
  { kind: "A module that throws", runs: () => moduleOf(`throw new Error("no config");`) },
  { kind: "A module that does not parse", runs: () => moduleOf(`export default {{`) },
  { kind: "A module without a test", runs: () => moduleOf(`export default 42;`) },
];

/** Faults in options, variables and flags. */
const options: readonly BrokenKind[] = [
  {
    kind: "A typo in the options of a scenario",
    runs: async () =>
      once({ ...(await healthy(get)), load: `executor: "constant-vus", vuz: 1, duration: "1s"` }),
  },
  {
    kind: "A threshold that cannot be read",
    runs: async () =>
      once({ ...(await healthy(get)), thresholds: `thresholds: { http_req_duration: ["p95 < fast"] },` }),
  },
  {
    kind: "A threshold on an unknown metric",
    runs: async () =>
      once({ ...(await healthy(get)), thresholds: `thresholds: { http_req_durations: ["p(95)<1s"] },` }),
  },
  {
    kind: "A threshold whose filter selects nothing",
    runs: async () =>
      bothModels({
        ...(await healthy(get)),
        thresholds: `thresholds: { "http_req_duration{page:hmoe}": ["p(95)<1s"] },`,
      }),
  },
  {
    kind: "A threshold whose filter leaves out an unknown tag",
    runs: async () =>
      once({
        ...(await healthy(get)),
        thresholds: `thresholds: { "http_req_duration{statsu!:500}": ["p(95)<1s"] },`,
      }),
  },
  {
    kind: "A threshold on a group as k6 writes it",
    runs: async () =>
      once({
        ...(await healthy(get)),
        thresholds: `thresholds: { "http_req_duration{group:::pay}": ["p(95)<1s"] },`,
      }),
  },
  {
    kind: "A variable that is not set",
    runs: async () => once(await healthy(get, `env: { SHOP_USER: {} },`)),
  },
  {
    kind: "A typo in a flag",
    runs: async () => [{ how: "one-liner", arguments: [(await startServer()).url, "--durations", "1s"] }],
  },
];

/** Tests that are broken, whatever their target does. */
export const brokenTests: readonly BrokenKind[] = [...scenarios, ...stages, ...options];
