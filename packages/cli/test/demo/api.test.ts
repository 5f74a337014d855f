import { connect } from "node:net";
import { text } from "node:stream/consumers";

import type { Listening } from "@bearhug/report/local-server/listen";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";

let demo: Listening;
const bugs: unknown[] = [];
beforeAll(async () => {
  demo = await startDemo({ port: 0, host: "127.0.0.1", onBug: (error) => bugs.push(error) });
});
afterAll(async () => {
  await demo.close();
  expect(bugs).toEqual([]);
});

async function post(path: string, body: unknown, token?: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(demo.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function logIn(user: string): Promise<string> {
  const { body } = await post("/api/login", { user, password: "honey" });
  return (body as { token: string }).token;
}

describe("login", () => {
  test("every user in /users.json can log in, and /api/me returns that user", async () => {
    const users = (await (await fetch(`${demo.url}/users.json`)).json()) as { name: string; email: string }[];
    for (const user of users) {
      const me = await fetch(`${demo.url}/api/me`, {
        headers: { authorization: `Bearer ${await logIn(user.name)}` },
      });
      expect(await me.json()).toEqual(user);
    }
  });

  test.each([
    [{ user: "ada", password: "jam" }, 401],
    [{ user: "nobody", password: "honey" }, 401],
    [{ user: ["ada"], password: "honey" }, 401],
    ["not json", 400],
    ["[]", 400],
  ])("%j is refused with %i", async (body, status) => {
    expect((await post("/api/login", body)).status).toBe(status);
  });

  test("a missing, invalid or modified token is refused", async () => {
    const token = await logIn("ada");
    for (const bad of ["", "x", token.replace("ada", "brian"), `${token}A`, token.slice(0, -4)]) {
      const me = await fetch(`${demo.url}/api/me`, { headers: { authorization: `Bearer ${bad}` } });
      expect([bad, me.status]).toEqual([bad, 401]);
    }
  });
});

describe("shopping", () => {
  test("the pages link to each other up to the last, and list every product once", async () => {
    const ids: number[] = [];
    for (let page: number | null = 1; page !== null;) {
      const listed = (await (await fetch(`${demo.url}/api/products?page=${page}`)).json()) as {
        next: number | null;
        products: { id: number }[];
      };
      ids.push(...listed.products.map(({ id }) => id));
      page = listed.next;
    }
    expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect((await fetch(`${demo.url}/api/products?page=5`)).status).toBe(404);
  });

  test("a cart gets its price, and needs a login and valid values", async () => {
    const product = (await (await fetch(`${demo.url}/api/products/3`)).json()) as { priceCents: number };
    const token = await logIn("cleo");
    expect(await post("/api/cart", { product: 3, quantity: 2 }, token)).toEqual({
      status: 201,
      body: { product: 3, quantity: 2, totalCents: 2 * product.priceCents },
    });
    expect((await post("/api/cart", { product: 3 })).status).toBe(401);
    expect((await post("/api/cart", { product: 99 }, token)).status).toBe(422);
    expect((await post("/api/cart", { product: 3, quantity: 0.5 }, token)).status).toBe(422);
  });
});

describe("sign-up", () => {
  test("accepts JSON as a script sends it and a form as a browser sends it", async () => {
    const first = await post("/signup", { user: { name: "zoë" } });
    const form = await fetch(`${demo.url}/signup`, {
      method: "POST",
      body: new URLSearchParams({ user: "zoë" }),
    });
    expect(first).toMatchObject({ status: 201, body: { user: { name: "zoë" } } });
    expect([form.status, await form.json()]).toEqual([
      201,
      { id: (first.body as { id: number }).id + 1, user: "zoë" },
    ]);
    expect((await post("/signup", {})).status).toBe(422);
  });
});

describe("bad clients", () => {
  test.each([
    ["with its length", (body: string) => `content-length: ${body.length}\r\n\r\n${body}`],
    [
      "in chunks",
      (body: string) =>
        `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])("a body over 64 KiB, sent %s, gets a 413", async (_, frame) => {
    const socket = connect(Number(new URL(demo.url).port), "127.0.0.1");
    socket.write(`POST /signup HTTP/1.1\r\nhost: demo\r\nconnection: close\r\n${frame("x".repeat(70_000))}`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 /);
  });

  test("a client that disconnects during its request or the response causes no error in the site", async () => {
    const requests = [
      "POST /signup HTTP/1.1\r\nhost: demo\r\ncontent-length: 100\r\n\r\nhalf",
      "GET /slow HTTP/1.1\r\nhost: demo\r\n\r\n",
      "GET /stream HTTP/1.1\r\nhost: demo\r\n\r\n",
    ];
    for (const request of requests) {
      for (const leave of ["destroy", "resetAndDestroy"] as const) {
        const socket = connect(Number(new URL(demo.url).port), "127.0.0.1");
        socket.on("error", () => undefined);
        await new Promise<void>((resolve) => socket.write(request, () => resolve()));
        await new Promise((resolve) => setTimeout(resolve, 30));
        socket[leave]();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(bugs).toEqual([]);
  });
});
