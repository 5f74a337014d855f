import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { RequestFailedError } from "@bearhug/sdk";
import { ownWords } from "@bearhug/text/masked-text";
import { expect, test } from "vitest";

import { startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

/** Redirects `/302` to `/301` and `/301` to `/404`; responds to every other path with the status in it. */
async function startStatusServer() {
  return await startServer((request, response) => {
    const status = Number(/\d{3}/.exec(request.url ?? "")?.[0] ?? 200);
    const location = { 302: "/301", 301: "/404" }[status];
    response.writeHead(status, location === undefined ? {} : { location }).end();
  });
}

test("redirects: http sets how many requests follow, and a request's own option wins", async () => {
  const server = await startStatusServer();
  const { http } = startClient(server.url, [], [], { ...defaultHttp, redirects: 0 });
  expect((await http.get("/302")).status).toBe(302);
  expect((await http.get("/302", { redirects: 1 })).error?.code).toBe("TOO_MANY_REDIRECTS");
  expect((await http.get("/302", { redirects: 2 })).status).toBe(404);
  expect(server.lines).toHaveLength(1 + 2 + 3);
});

test("expect: http sets which statuses are no failure, and a request's own option wins", async () => {
  const server = await startStatusServer();
  const client = startClient(server.url, [], [], {
    ...defaultHttp,
    expect: [
      { min: 200, max: 299 },
      { min: 404, max: 404 },
    ],
  });
  for (const path of ["/200", "/404", "/304"]) await client.http.get(path, { name: path });
  await client.http.get("/404", { name: "own", expect: 200 });
  const failed = (name: string) => client.row(name)?.failed;
  expect([ownWords`/200`, ownWords`/404`, ownWords`/304`, ownWords`own`].map(failed)).toEqual([0, 0, 1, 1]);
});

test("expect of http applies to the last response, not to the redirects before it", async () => {
  const server = await startStatusServer();
  const client = startClient(server.url, [], [], { ...defaultHttp, expect: [{ min: 404, max: 404 }] });
  expect((await client.http.get("/302")).status).toBe(404);
  expect(client.metric("http_req_failed")).toMatchObject({ trues: 0, samples: 3 });
});

test("throwOnError: http makes every request throw, by its expect, and a request's own option wins", async () => {
  const server = await startStatusServer();
  const { http } = startClient(server.url, [], [], {
    ...defaultHttp,
    throwOnError: true,
    expect: [{ min: 200, max: 200 }],
  });
  await expect(http.get("/304")).rejects.toThrow(RequestFailedError);
  await expect(http.get("/304", { expect: 304 })).resolves.toMatchObject({ status: 304 });
  await expect(http.get("/304", { throwOnError: false })).resolves.toMatchObject({ status: 304 });
  await expect(http.get("/200")).resolves.toMatchObject({ status: 200 });
});
