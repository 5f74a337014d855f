import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { ownWords } from "@bearhug/text/masked-text";
import { expect, test } from "vitest";

import { startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

/** Parses options that only plain JavaScript lets a test write. */
const parsed = (text: string): never => JSON.parse(text) as never;

test.each([
  { what: "a misspelt option", options: '{"josn":{}}', says: "josn" },
  { what: "an endless chain of redirects", options: '{"redirects":-1}', says: "redirects" },
  { what: "an invalid expectation", options: '{"expect":null}', says: "expect" },
  { what: "auth without credentials", options: '{"auth":{}}', says: "auth" },
])("$what is refused with a message, and nothing is sent", async ({ options, says }) => {
  const server = await startServer((_request, response) => void response.end());
  const client = startClient(server.url, [], [], defaultHttp);
  await expect(client.http.get("/", parsed(options))).rejects.toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringContaining(says) as string,
  });
  expect(server.lines).toEqual([]);
  expect(client.row(ownWords`GET /`)).toBeUndefined();
  await client.vu.idle();
});

test("a batch with an invalid request sends none of its requests", async () => {
  const server = await startServer((_request, response) => void response.end());
  const { http } = startClient(server.url);
  await expect(http.batch(["/a", parsed('{"method":"POST"}')])).rejects.toMatchObject({
    code: "INVALID_REQUEST",
  });
  expect(server.lines).toEqual([]);
});
