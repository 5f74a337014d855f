import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { Dispatcher, fetch, request } from "undici";
import { describe, expect, test } from "vitest";

import { startHttp2Server } from "../http2/http2-server.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { startClient } from "../start-client.ts";

const overHttp1 = { allowH2: false };

/** Starts a server that responds with the HTTP version of the request, and a client. */
async function start(allowHTTP1: boolean, options: Partial<ValidatedHttp>) {
  const server = await startHttp2Server(
    (response, { httpVersion }) => response.end(httpVersion),
    makeCertificate("IP:127.0.0.1"),
    allowHTTP1,
  );
  const tls = { ...defaultHttp.tls, insecureSkipTlsVerify: true };
  const url = `https://127.0.0.1:${server.port}`;
  const client = startClient(url, [], [], { ...defaultHttp, tls, ...options });
  const dispatcher: unknown = client.http.dispatcher;
  if (!(dispatcher instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
  const ask = async (given = {}) => (await request(url, { ...given, dispatcher })).body.text();
  return { client, dispatcher, url, ask };
}

describe.skipIf(!hasOpenssl).each(["bearhug", "undici"] as const)(
  "allowH2: false of a dispatched request, with transport %s",
  (transport) => {
    test("uses HTTP/1.1 on a separate connection, beside HTTP/2", async () => {
      const { client, ask } = await start(true, { transport });
      const versions = [await ask(), await ask(overHttp1), await ask(), await ask(overHttp1)];
      expect(versions).toEqual(["2.0", "1.1", "2.0", "1.1"]);
      expect(client.metric("connections_opened")).toMatchObject({ total: 2 });
      expect(client.row("GET /")).toMatchObject({ started: 4, sent: 4, succeeded: 4 });
    });

    test("in the first request does not keep others from HTTP/2", async () => {
      const { client, ask } = await start(true, { transport });
      expect(await ask(overHttp1)).toBe("1.1");
      expect(await Promise.all([ask(), ask(), ask()])).toEqual(["2.0", "2.0", "2.0"]);
      expect(client.metric("connections_opened")).toMatchObject({ total: 2 });
    });

    test("may be set around fetch", async () => {
      const { client, dispatcher, url } = await start(true, { transport });
      const composed = dispatcher.compose(
        (dispatch) => (options, handler) => dispatch({ ...options, ...overHttp1 }, handler),
      );
      expect(await (await fetch(url, { dispatcher: composed })).text()).toBe("1.1");
      expect(client.row("GET /")).toMatchObject({ started: 1, sent: 1, succeeded: 1 });
    });

    test("fails if the server speaks only HTTP/2", async () => {
      const { client, ask } = await start(false, { transport });
      expect(await ask()).toBe("2.0");
      await expect(ask(overHttp1)).rejects.toMatchObject({ bearhugCode: "TLS_ALPN_MISMATCH" });
      expect(client.engine.errors.all()).toMatchObject([{ code: "TLS_ALPN_MISMATCH", count: 1 }]);
      expect(client.row("GET /")).toMatchObject({ started: 2, sent: 1, succeeded: 1, failed: 1 });
    });

    test.each(["http2", "h2c"] as const)("is refused if the protocol is %s", async (protocol) => {
      const { client, ask } = await start(true, { transport, protocol });
      await expect(ask(overHttp1)).rejects.toMatchObject({
        code: "UND_ERR_INVALID_ARG",
        message: `allowH2: false is HTTP/1.1, but the test's protocol is "${protocol}"`,
      });
      expect(client.engine.accounting.requests()).toEqual([]);
    });
  },
);
