import { Readable } from "node:stream";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { Dispatcher } from "undici";
import { describe, expect, test } from "vitest";

import { startHttp2Server } from "../http2/http2-server.ts";
import { startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

const servers = {
  http1: async () => (await startServer((_request, response) => void response.end("ok"))).url,
  h2c: async () => {
    const { port } = await startHttp2Server((response) => {
      response.end("ok");
    });
    return `http://127.0.0.1:${port}`;
  },
} as const;

const bodies: Readonly<Record<string, () => unknown>> = {
  "no body": () => null,
  "a text": () => "héllo",
  bytes: () => Buffer.from("héllo"),
  "a Blob": () => new Blob(["héllo"]),
  "a Readable": () => Readable.from([Buffer.from("hé"), Buffer.from("llo")]),
  "an iterable": () => ["hé", "llo"],
};

describe.each(["bearhug", "undici"] as const)("over transport %s", (transport) => {
  describe.each(["http1", "h2c"] as const)("a handler of a request over %s", (protocol) => {
    test.each(Object.keys(bodies))("with %s is called in the order of undici's own client", async (kind) => {
      const url = await servers[protocol]();
      const { http } = startClient(url, [], [], { ...defaultHttp, transport, protocol });
      const dispatcher: unknown = http.dispatcher;
      if (!(dispatcher instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
      const body = bodies[kind]?.() as Readable | null;
      const calls: string[] = [];
      let sent = "";
      await new Promise<void>((resolve, reject) => {
        dispatcher.dispatch(
          { origin: url, path: "/", method: "POST", body },
          {
            onRequestStart: () => void calls.push("start"),
            onBodySent: (chunk: Buffer) => {
              sent += chunk.toString("latin1");
              if (calls.at(-1) !== "body") calls.push("body");
            },
            onRequestSent: () => void calls.push("sent"),
            onResponseStarted: () => void calls.push("response"),
            onResponseStart: () => void calls.push("head"),
            onResponseData: () => void calls.push("data"),
            onResponseEnd: () => {
              calls.push("end");
              resolve();
            },
            onResponseError: (_controller, error) => {
              reject(error);
            },
          },
        );
      });
      const written = kind === "no body" ? "" : Buffer.from("héllo").toString("latin1");
      const before = written === "" ? ["start"] : ["start", "body"];
      expect(calls).toEqual([...before, "sent", "response", "head", "data", "end"]);
      expect(sent).toBe(written);
    });
  });
});
