// These tests compile with every version of TypeScript that users have. They go beyond front-page.ts.
import { csv, defineTest, json, ndjson, rows } from "@bearhug/sdk";
import type {
  Context,
  Http,
  HttpOptions,
  RampingVus,
  Response,
  Scenario,
  SetupContext,
  Stages,
  Test,
  Thresholds,
} from "@bearhug/sdk";

/** Does not depend on the types of the test that uses it. */
async function visit({ http, think }: Context, path: string): Promise<Response> {
  await think(500);
  return http.get(path, {
    timeout: "5s",
    rawPath: true,
    expect: [200, { min: 300, max: 399 }],
    tags: { kind: "visit" },
  });
}

async function login(http: Http, password: string): Promise<string> {
  const response = await http.post("/login", { form: { user: "ann", password, remember: true } });
  return response.json<{ token: string }>().token;
}

export const everyExecutor = defineTest({
  allowHosts: ["api.example.com"],
  allowUnmeasured: true,
  siteHosts: ["cdn.example.com"],
  scenarios: {
    tickets: {
      executor: "shared-iterations",
      vus: 3,
      iterations: 10,
      exec: (context) => visit(context, "/"),
    },
    each: { executor: "per-vu-iterations", vus: 3, iterations: 10, maxDuration: "5m", exec: () => undefined },
    steady: { executor: "constant-vus", vus: 3, duration: "1m30s", exec: async ({ sleep }) => sleep("1s") },
    waves: {
      executor: "ramping-vus",
      startVUs: 0,
      stages: [{ duration: "30s", target: 10 }],
      gracefulRampDown: "0s",
      exec: ({ log }) => log("hello"),
    },
    arrivals: { executor: "constant-arrival-rate", rate: 50, duration: 60_000, exec: () => undefined },
    surge: {
      executor: "ramping-arrival-rate",
      startRate: 5,
      timeUnit: "1m",
      stages: [{ duration: "1h30m", target: 100 }],
      onBusy: "queue",
      startTime: "10s",
      gracefulStop: "5s",
      tags: { tier: "gold" },
      exec: () => undefined,
    },
  },
  thresholds: {
    http_reqs: ["count>1k", "rate>100"],
    vus: ["value<100"],
    checks: ["rate>99%", "rate>0.99"],
    page_bytes: ["max<500k", "p(95)<1.5MB"],
    "server.cpu": ["avg<80%", { threshold: "max<95%", window: "10s", allowEmpty: true }],
    "db.process_memory": ["max<2GB"],
    "server.network_sent": ["avg<10MB"],
    "server.node_load1": ["max<4.5"],
    "app.go_memstats_heap_inuse_bytes": ["max<500MB"],
    http_req_duration: ["p95<300ms", "p(99.9)<=1.5s", "avg<200", "count>100", "med===5"],
    "http_req_duration{scenario:tickets,page:home}": ["p(95)<1s"],
    "http_req_failed{page:home,scenario!:each}": [{ threshold: "rate<1%", window: "10s", allowEmpty: true }],
    "iteration_duration{name~:^GET /api}": ["avg<1s"],
  },
});

export const everythingInTheContext = defineTest({
  env: { PASSWORD: { secret: true }, REGION: { default: "eu" }, THEME: { optional: true } },
  metrics: {
    basket: { type: "trend" },
    queue_time: { type: "trend", time: true },
    coupons: { type: "counter" },
    depth: { type: "gauge" },
    paid: { type: "rate" },
  },
  setup: async ({ http, env, log, random, signal }) => {
    if (signal.aborted) log.warn(`stopped in ${env.REGION}`);
    return { token: await login(http, env.PASSWORD), ids: [random.integer(1, 9)] };
  },
  teardown: async ({ http, data }) => {
    const ids: readonly number[] = data.ids;
    await http.delete("/session", { json: { ids }, auth: { bearer: data.token } });
  },
  scenarios: {
    shoppers: {
      executor: "constant-vus",
      duration: "1m",
      env: { REGION: "us" },
      exec: async ({ http, page, group, check, data, env, metrics, random, vu, iteration, tags, abort }) => {
        const token: string = data.token;
        tags.set("region", env.REGION);
        if (env.THEME !== "") http.cookies.set("theme", env.THEME);
        const title = await page("home", async () => {
          const [home, style] = await http.batch(["/", { method: "GET", url: "/style.css", name: "style" }]);
          check(style, { "is small": ({ size }) => size.received < 5000 });
          const order = style.json<{ readonly ok?: boolean }>();
          check(null, { "is ok": order.ok, "is whole": order.ok === true });
          return home.text();
        });
        const length: number = await group("count", () => title.length);
        const many: Response[] = await http.batch(data.ids.map((id) => `/items/${id}`));
        if (many.length !== length && vu.id > 5000) abort("too many");
        metrics.basket.add(random.pick([1, 2, 3]), { token });
        metrics.queue_time.add(random() * 5);
        metrics.coupons.add(random.weighted([[1, 0.5]]));
        metrics.depth.add(iteration.index + iteration.indexInVu);
        metrics.paid.add(true);
        vu.state["visits"] = random.shuffle(data.ids);
      },
    },
  },
  thresholds: {
    basket: ["avg<10"],
    "basket{scenario:shoppers}": ["p(95)<20"],
    coupons: ["count>10"],
    depth: ["value<5"],
    paid: ["rate>50%"],
  },
});

const setup = async ({ http }: SetupContext): Promise<{ ids: number[] }> => (await http.get("/ids")).json();

/** If its parameter is annotated, `setup` may come after the scenarios. */
export const setupBelow = defineTest({
  scenarios: { one: { executor: "shared-iterations", exec: ({ data }) => data } },
  setup,
});

/** Scenarios of other files declare only the parts of the context that they need. */
const needsToken: Scenario<Context<{ token: string }>> = {
  executor: "constant-vus",
  duration: "1m",
  exec: async ({ http, data }) => http.get("/", { auth: { bearer: data.token } }),
};

export const composed = defineTest({
  env: { REGION: {} },
  metrics: { basket: { type: "trend" } },
  setup: () => ({ token: "secret", ids: [1] }),
  scenarios: {
    needsToken,
    own: { executor: "shared-iterations", exec: ({ metrics, data }) => metrics.basket.add(data.ids.length) },
  },
  thresholds: { "basket{scenario:own}": ["avg<1"] },
});

/** Keys that are computed at run time are checked then. */
export const computed = defineTest({
  scenarios: { one: { executor: "shared-iterations", exec: () => undefined } },
  thresholds: Object.fromEntries(
    ["home", "cart"].map((page) => [`page_duration{page:${page}}`, ["avg<1s" as const]]),
  ),
});

export const everyWayToSend = defineTest({
  http: {
    headers: { accept: "text/html", "x-many": ["a", "b"] },
    timeout: { connect: "1s", firstByte: "10s", whole: 60_000 },
    discardBodies: true,
    maxBodySize: 1_000_000,
    cookies: "vu",
    cache: "browser",
    protocol: "auto",
    transport: "undici",
    pipelining: 10,
    maxConcurrentStreams: 50,
    tls: { ca: ["ca.pem"], cert: "cert.pem", key: "key.pem", passphrase: "swordfish", minVersion: "1.2" },
    dns: { ttl: 0, policy: "onlyIPv6", select: "random", servers: ["127.0.0.1:5353"] },
    hosts: { "shop.example": "127.0.0.1", "api.example": ["10.0.0.1", "10.0.0.2"] },
    proxy: "http://127.0.0.1:3128",
    localAddresses: ["127.0.0.2"],
  },
  scenarios: {
    churn: {
      executor: "shared-iterations",
      http: { connections: "perRequest", maxConnections: 5, maxRequestsPerConnection: 1, timeout: "5s" },
      exec: () => undefined,
    },
    local: { executor: "shared-iterations", http: { unixSocket: "/run/shop.sock" }, exec: () => undefined },
  },
});

/** `satisfies` keeps the literal types of constants, and the compiler still checks keys and aggregations. */
const stages = [{ duration: "30s", target: 5 }] satisfies Stages;
const annotated: Stages = [{ duration: "1m30s", target: 5 }];
const thresholds = {
  http_req_failed: ["rate<1%"],
  "http_req_duration{scenario:ramp}": ["p(95)<300ms", { threshold: "p(99)<1s", window: "10s" }],
} satisfies Thresholds;
const ramp: RampingVus<Context> = { executor: "ramping-vus", stages: annotated, exec: () => undefined };
export const constants = defineTest({
  scenarios: { ramp: { executor: "ramping-vus", stages, exec: () => undefined }, other: ramp },
  thresholds,
});

/** Options may be constants of their own, whose type keeps the literals. */
const staging: HttpOptions = { tls: { insecureSkipTlsVerify: true }, connections: "shared" };
export const optionsApart = defineTest({
  http: { ...staging, cookies: "off" },
  scenarios: { a: { executor: "shared-iterations", http: staging, exec: () => undefined } },
});

export const tests: readonly Test[] = [
  everyExecutor,
  everythingInTheContext,
  setupBelow,
  composed,
  computed,
  everyWayToSend,
  optionsApart,
];
export const named: Test<
  "shoppers",
  { basket: "trend"; queue_time: "trend"; coupons: "counter"; depth: "gauge"; paid: "rate" }
> = everythingInTheContext;

/** A validator as any library with Standard Schema exports it (https://standardschema.dev). */
declare const accountSchema: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "any";
    readonly validate: (
      value: unknown,
      options?: { readonly libraryOptions?: Record<string, unknown> | undefined },
    ) => { readonly value: { age: number } } | { readonly issues: readonly { readonly message: string }[] };
    readonly types?: { readonly input: unknown; readonly output: { age: number } } | undefined;
  };
};

export const everyFeed = defineTest({
  scenarios: {
    readers: {
      executor: "per-vu-iterations",
      exec: ({ feeds, vu }) => {
        const { name, password }: { name: string; password: string } = feeds.users.next();
        const loose: Readonly<Record<string, string>> = feeds.loose.next();
        const account: { age: number } = feeds.accounts.next();
        const order: { id: string } = feeds.orders.next();
        const product: { sku: string; price: number } = feeds.products.next();
        const sizes: readonly ("s" | "m")[] = feeds.sizes.rows;
        const unknownRow: unknown = feeds.lines.next();
        const index: number = vu.index;
        return [name, password, loose, account.age, order.id, product.price, sizes, unknownRow, index];
      },
    },
  },
  feeds: {
    users: csv("users.csv", { columns: ["name", "password"], unique: true, order: "shuffled" }),
    loose: csv({ href: "file:///loose.csv" }, { per: "vu", delimiter: ";" }),
    accounts: csv("accounts.csv", { schema: accountSchema, atEnd: "stop" }),
    orders: json<{ id: string }>("orders.json", { order: "random" }),
    lines: ndjson("lines.ndjson"),
    products: [{ sku: "a", price: 1 }],
    sizes: rows<"s" | "m">(["s", "m"], { order: "random", scenarios: ["readers"] }),
  },
});
