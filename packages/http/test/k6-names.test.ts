import { expect, test } from "vitest";

import { k6NamesOfHttp, k6NamesOfResponse } from "../src/response/k6-names.ts";
import { startServer } from "../../cli/test/end-to-end/test-server.ts";
import { startClient } from "./start-client.ts";

test.each(Object.entries(k6NamesOfHttp))("http.%s throws with a hint: write %s", (name, ours) => {
  const { http } = startClient("http://127.0.0.1:9");
  expect((): unknown => Reflect.get(http, name)).toThrow(
    new TypeError(`http.${name} is k6's: write ${ours}.`),
  );
  expect(Object.keys({ ...http })).not.toContain(name);
});

test("k6's names on a response throw, too, and are not among its keys", async () => {
  const server = await startServer();
  const { http } = startClient(server.url);
  const response = await http.get("/");
  for (const [name, ours] of Object.entries(k6NamesOfResponse))
    expect((): unknown => Reflect.get(response, name)).toThrow(
      new TypeError(`response.${name} is k6's: write ${ours}.`),
    );
  expect(response.text()).toBeTypeOf("string");
  expect(Object.keys(response)).not.toContain("body");
});
