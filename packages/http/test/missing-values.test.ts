import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { Http } from "@bearhug/sdk";
import { request } from "undici";
import { describe, expect, test } from "vitest";

import { startServer } from "../../cli/test/end-to-end/test-server.ts";
import { startClient } from "./start-client.ts";

const user: { readonly id?: string; readonly age: number; readonly boss: null } = {
  age: Number.NaN,
  boss: null,
};

/** Starts a server, and a client whose test has this source code. */
async function open(code = "") {
  const server = await startServer();
  const { http } = startClient(server.url, [], [], defaultHttp, null, code);
  return { server, http };
}

describe("a value that is missing in a URL", () => {
  test.each([
    [
      `/users/${user.id}`,
      'GET /users/undefined: the path has "undefined", so a value is missing. If it is meant so, set rawPath: true.',
    ],
    [
      `/users/${user.id}/orders?page=2`,
      'GET /users/undefined/orders: the path has "undefined", so a value is missing.',
    ],
    [`/photos/${user.id}.png`, 'GET /photos/undefined.png: the path has "undefined.png"'],
    [`/users/${user.age}`, 'GET /users/NaN: the path has "NaN", so a value is missing.'],
    [`/users/${user.boss}`, 'GET /users/null: the path has "null", so a value is missing.'],
    [
      `/search?q=a&user=${user.id}`,
      'GET /search: the query has "user=undefined", so a value is missing. If it is meant so, give it with params.',
    ],
    [`/search?${user.id}=1`, 'the query has "undefined=1"'],
    [
      "/users/[object Object]",
      'GET /users/[object Object]: the path has "[object Object]", so an object stands where a text should.',
    ],
    ["/search?user=%5Bobject%20Object%5D", 'the query has "user=%5Bobject%20Object%5D", so an object'],
    ["/users/of-[object Promise]", 'the path has "of-[object Promise]", so a promise was not awaited.'],
  ])("is refused before anything is sent: %s", async (address, says) => {
    const { server, http } = await open();
    await expect(http.get(address)).rejects.toThrow(says);
    await expect(http.get(address)).rejects.toMatchObject({ code: "INVALID_URL" });
    await expect(http.get(server.url + address)).rejects.toThrow(says.replace(/^GET \S+/, ""));
    await expect(http.get(new URL(address, server.url))).rejects.toMatchObject({ code: "INVALID_URL" });
    await expect(http.batch([address])).rejects.toMatchObject({ code: "INVALID_URL" });
    await expect(http.fetch(address)).rejects.toMatchObject({ code: "INVALID_URL" });
    await expect(http.fetch(new Request(new URL(address, server.url)))).rejects.toMatchObject({
      code: "INVALID_URL",
    });
    expect(server.total()).toBe(0);
  });

  test.each([
    "/undefined-behavior",
    "/nancy/nan?name=Nan",
    "/objects/object?object=1",
    "/nulls?parent=null",
    "/search?q=undefined+behavior",
    "/page#undefined",
  ])("is not found in similar text: %s", async (address) => {
    const { server, http } = await open();
    expect((await http.get(address)).status).toBe(200);
    expect((await http.fetch(address)).status).toBe(200);
    expect(server.total()).toBe(2);
  });

  test("is sent if the test's own code contains it, like the test of a recorded visit", async () => {
    const { server, http } = await open(
      'http.get("/undefined"); http.get("/ads?slot=undefined&size=" + size)',
    );
    await http.get("/undefined");
    await http.get("/ads?slot=undefined&size=3");
    await expect(http.get("/ads?slot=3&size=undefined")).rejects.toThrow('the query has "size=undefined"');
    await expect(http.get("/users/NaN")).rejects.toThrow('the path has "NaN"');
    expect(server.total()).toBe(2);
  });

  test("is sent if params or a raw path give it on purpose", async () => {
    const { server, http } = await open();
    await http.get("/search", { params: { word: "undefined" } });
    await http.get("/users/undefined", { rawPath: true });
    await expect(http.get("/users/undefined", { params: { word: "undefined" } })).rejects.toThrow(
      "the path has",
    );
    await expect(http.get("/search", { params: { page: Number.NaN } })).rejects.toThrow(
      'params: "page" is NaN',
    );
    expect(server.total()).toBe(2);
  });

  test("is refused in a request of undici, too, but not in a server's redirect", async () => {
    const server = await startServer((asked, response) => {
      if (asked.url === "/old") response.writeHead(302, { location: "/undefined" });
      response.end();
    });
    const { http } = startClient(server.url);
    const dispatcher = http.dispatcher as never;
    await expect(request(`${server.url}/users/${user.id}`, { dispatcher })).rejects.toThrow(
      "a value is missing",
    );
    expect(server.total()).toBe(0);
    await expectSent(http);
    expect(server.total()).toBe(4);
  });
});

async function expectSent(http: Http): Promise<void> {
  expect((await http.get("/old")).status).toBe(200);
  expect((await http.fetch("/old")).status).toBe(200);
}
