import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { Dispatcher, request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";

import { startHttp2Server } from "../http2/http2-server.ts";
import { startClient } from "../start-client.ts";

/** Servers that send a body of two pieces, and then trailers; `/none` has no trailers. */
const servers = {
  http1: async () => {
    const server = createServer((asked, answer) => {
      answer.writeHead(200, { trailer: "x-sum" });
      answer.write("one ");
      if (asked.url !== "/none") answer.addTrailers({ "X-Sum": " abc", "x-many": "\xe4" });
      answer.end("two");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close().closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  },
  h2c: async () => {
    const server = await startHttp2Server((response, { url }) => {
      if (url !== "/none") response.addTrailers({ "x-sum": "abc", "x-many": "\xe4" });
      response.write("one ");
      response.end("two");
    });
    return server.port;
  },
} as const;

describe.each(["bearhug", "undici"] as const)("over transport %s", (transport) => {
  test.each(["http1", "h2c"] as const)("undici's request gets the trailers of %s", async (protocol) => {
    const port = await servers[protocol]();
    const url = `http://127.0.0.1:${port}`;
    const { http, row } = startClient(url, [], [], { ...defaultHttp, transport, protocol });
    const dispatcher: unknown = http.dispatcher;
    if (!(dispatcher instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
    for (const path of ["/some", "/none", "/some"]) {
      const { body, trailers } = await request(`${url}${path}`, { dispatcher });
      expect(await body.text()).toBe("one two");
      expect(trailers).toEqual(path === "/none" ? {} : { "x-sum": "abc", "x-many": "\xe4" });
      expect((await http.get(path)).text()).toBe("one two");
    }
    expect(row("GET /some")).toMatchObject({ started: 4, succeeded: 4 });
  });
});
