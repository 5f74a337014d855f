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

const product = { id: 1, name: "Acacia honey", priceCents: 390, stock: 7 };

const post = (path: string, body: unknown) =>
  fetch(demo.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("GraphQL", () => {
  test.each([
    [{ operationName: "Product", variables: { id: 1 } }, { data: { product } }],
    [{ operationName: "Product", variables: { id: 0 } }, { data: { product: null } }],
    [{ operationName: "Products", variables: { page: 99 } }, { data: { products: [] } }],
  ])("answers %j", async (asked, answer) => {
    const response = await post("/graphql", asked);
    expect([response.status, await response.json()]).toEqual([200, answer]);
  });

  test("lists the first page without variables", async () => {
    const { data } = (await (await post("/graphql", { operationName: "Products" })).json()) as {
      data: { products: unknown[] };
    };
    expect(data.products).toHaveLength(10);
    expect(data.products[0]).toEqual(product);
  });

  test.each([
    [200, { query: "{ products { id } }" }],
    [200, { operationName: "toString" }],
    [400, "no JSON"],
  ])("responds with status %i and an error to %j", async (status, asked) => {
    const response = await post("/graphql", asked);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty("errors.0.message");
  });
});

describe("tRPC", () => {
  const get = async (path: string) => {
    const response = await fetch(`${demo.url}/trpc/${path}`);
    return { status: response.status, body: await response.json() };
  };
  const notFound = (path: string) => ({
    error: {
      message: `Nothing at ${path}`,
      code: -32004,
      data: { code: "NOT_FOUND", httpStatus: 404, path },
    },
  });

  test("answers one call", async () => {
    expect(await get("product.byId?input=1")).toEqual({ status: 200, body: { result: { data: product } } });
    expect(await get("product.byId?input=0")).toEqual({ status: 404, body: notFound("product.byId") });
    expect(await get("toString?input=nonsense")).toEqual({ status: 404, body: notFound("toString") });
  });

  test("answers a batch in its order, with 207 when some calls fail", async () => {
    const batch = (paths: string, input: object) =>
      get(`${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`);
    const found = { result: { data: product } };
    expect(await batch("product.byId,product.byId", { 0: 1, 1: 1 })).toEqual({
      status: 200,
      body: [found, found],
    });
    expect(await batch("product.byId,none,product.byId", { 0: 1, 2: 0 })).toEqual({
      status: 207,
      body: [found, notFound("none"), notFound("product.byId")],
    });
    expect(await get("none,none?batch=1")).toEqual({
      status: 404,
      body: [notFound("none"), notFound("none")],
    });
  });
});

describe("chat completions", () => {
  const ask = (content: unknown, stream = true) =>
    post("/v1/chat/completions", { model: "any", messages: [{ role: "user", content }], stream });

  test("arrive one word at a time, as server-sent events", async () => {
    const response = await ask("What goes with Linden tea?");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = (await response.text()).trimEnd().split("\n\n");
    const chunks = events.slice(0, -1).map(
      (event) =>
        JSON.parse(event.replace(/^data: /, "")) as {
          choices: [{ delta: { content?: string }; finish_reason: string | null }];
        },
    );
    expect(chunks.slice(0, 2).map(({ choices: [{ delta }] }) => delta.content)).toEqual(["Linden", " tea"]);
    expect(chunks.map(({ choices: [{ delta }] }) => delta.content ?? "").join("")).toBe(
      "Linden tea goes well with toast, with tea and with friends.",
    );
    expect(chunks.at(-1)).toMatchObject({ model: "any", choices: [{ delta: {}, finish_reason: "stop" }] });
    expect(events.at(-1)).toBe("data: [DONE]");
  });

  test("are refused without messages or without streaming", async () => {
    for (const refused of [
      await ask("hello", false),
      await ask(7),
      await post("/v1/chat/completions", { stream: true, messages: [] }),
      await post("/v1/chat/completions", "no JSON"),
    ]) {
      expect(refused.status).toBe(400);
      expect(await refused.json()).toHaveProperty("error.message");
    }
  });
});
