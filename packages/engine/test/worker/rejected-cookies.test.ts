import { expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

const hosts = { hosts: { "shop.test": "127.0.0.1" } };

/** Starts a shop without TLS, whose login sets these cookies, and returns its address under a name. */
async function startShop(setCookie: string | string[]): Promise<string> {
  const { url } = await startServer(({ url: path }, response) => {
    if (path === "/login") response.setHeader("set-cookie", setCookie);
    response.end();
  });
  return url.replace("127.0.0.1", "shop.test");
}

type Exec = Parameters<typeof runScenario>[0];

const visit: Exec = async ({ http }) => {
  await http.get("/login");
  await http.get("/account");
};

test.each([
  ["sid=1; Path=/; Secure", '"sid"', "it is Secure, and the address has no TLS"],
  ["sid=1; Domain=shop.example", '"sid"', 'its domain "shop.example" is not that of the address'],
  ["__Host-sid=1; Path=/", '"__Host-sid"', 'a name that begins with "__host-" needs Secure'],
])("a request without a cookie that no browser would keep is an oddity: %s", async (setCookie, name, why) => {
  const baseUrl = await startShop(setCookie);
  const { errors } = await runScenario(
    async ({ http }) => {
      await http.get("/login");
      await http.get("/account");
    },
    { baseUrl, iterations: 4, vus: 2, http: hosts },
  );
  expect(errors()).toMatchObject([
    {
      code: "COOKIE_REJECTED",
      name: "GET /account",
      origin: baseUrl,
      count: 4,
      message: `no browser would keep the cookie ${name} that ${baseUrl} set: ${why}`,
    },
  ]);
});

test.each([
  { setCookie: ["sid=1; Secure", "__cf_bm=1; Domain=shop.example; Secure"] },
  { setCookie: ["lang=1; Domain=shop.example", "sid=1; Secure", "lang=1"] },
])("the first cookie is named that no browser would keep: $setCookie", async ({ setCookie }) => {
  const baseUrl = await startShop(setCookie);
  const { errors } = await runScenario(visit, { baseUrl, http: hosts });
  expect(errors()).toMatchObject([{ code: "COOKIE_REJECTED", count: 1 }]);
  expect(errors()[0]?.message).toMatch(/cookie "sid" that .* set: it is Secure, and the address has no TLS$/);
});

test("a request of fetch without a cookie that no browser would keep is an oddity, too", async () => {
  const baseUrl = await startShop("sid=1; Secure");
  const { errors } = await runScenario(
    async ({ http }) => {
      await http.fetch("/login");
      await http.fetch("/account");
    },
    { baseUrl, http: hosts },
  );
  expect(errors()).toMatchObject([{ code: "COOKIE_REJECTED", name: "GET /account", count: 1 }]);
});

test("a cookie that no browser would keep is missed if an older one of its name is sent", async () => {
  const { url } = await startServer(({ url: path }, response) => {
    response.setHeader("set-cookie", path === "/login" ? "sid=2; Path=/; Secure" : "sid=1; Path=/");
    response.end();
  });
  const { errors } = await runScenario(
    async ({ http }) => {
      for (const path of ["/", "/login", "/account"]) await http.get(path);
    },
    { baseUrl: url.replace("127.0.0.1", "shop.test"), http: hosts },
  );
  expect(errors()).toMatchObject([{ code: "COOKIE_REJECTED", name: "GET /account", count: 1 }]);
});

test.each<{ what: string; setCookie?: string | string[]; exec?: Exec; cookies?: "off" }>([
  { what: "it is kept", setCookie: "sid=1" },
  { what: "the response sets it for its own host, too", setCookie: ["sid=1; Domain=shop.example", "sid=1"] },
  { what: "the response has set it already", setCookie: ["sid=1", "sid=1; Domain=shop.example"] },
  { what: "it deletes a cookie", setCookie: "sid=; Max-Age=0; Secure" },
  { what: "the test keeps no cookies", cookies: "off" },
  { what: "no request follows in its iteration", exec: ({ http }) => http.get("/login") },
  {
    what: "the test sends it itself",
    exec: async ({ http }) => {
      const sid = (await http.get("/login")).cookies.get("sid") ?? "";
      await http.get("/account", { cookies: { sid } });
      await http.get("/account", { headers: { cookie: `sid=${sid}` } });
    },
  },
])("no request lacks a cookie if $what", async ({ setCookie = "sid=1; Secure", exec = visit, cookies }) => {
  const baseUrl = await startShop(setCookie);
  const http = { ...hosts, ...(cookies && { cookies }) };
  const { errors, logs } = await runScenario(exec, { baseUrl, iterations: 2, http });
  expect([...errors(), ...logs]).toEqual([]);
});
