import { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { Dispatcher, pipeline, request, stream } from "undici";
import { describe, expect, test } from "vitest";

import { replaceFetch } from "../../src/fetch/global-fetch.ts";
import { startRawHttp2Server } from "../http2/raw-http2-server.ts";
import { startByteServer } from "../servers.ts";
import { startClient, type TestClient } from "../start-client.ts";

const smuggled = "GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n";
const pieces = (text: string): Buffer[] => text.split(/(?<=,)/).map((piece) => Buffer.from(piece));

/** Each kind of body, made from the bytes of a text. */
const bodies: Readonly<Record<string, (text: string) => string | Uint8Array | Blob | Readable | object>> = {
  "a text": (text) => text,
  bytes: (text) => Buffer.from(text),
  "a Blob": (text) => new Blob([text]),
  "a Readable": (text) => Readable.from(pieces(text), { objectMode: false }),
  "an iterable": (text) =>
    (async function* iterate() {
      yield* pieces(text);
    })(),
};

interface PostRequest {
  readonly url: string;
  readonly length: string;
  readonly body: unknown;
}
/** Sends a POST, and reads the response; the result, or the rejection, is the error. */
type Sender = (client: TestClient, asked: PostRequest) => Promise<unknown>;

function optionsOf({ http }: TestClient, { length, body }: PostRequest) {
  const dispatcher: unknown = http.dispatcher;
  if (!(dispatcher instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
  const headers = { "content-length": length };
  return { dispatcher, method: "POST" as const, headers, body: body as Readable };
}

const duplex = "half" as const;

const senders: Readonly<Record<string, Sender>> = {
  "http.post": async ({ http }, { url, length, body }) =>
    http
      .post(url, { headers: { "content-length": length }, body: body as Readable })
      .then(({ error }) => error),
  "http.fetch": async ({ http }, { url, length, body }) => {
    const headers = { "content-length": length };
    const answer = await http.fetch(url, { method: "POST", headers, body: body as Readable, duplex });
    await answer.text();
  },
  "the global fetch": async ({ session }, { url, length, body }) => {
    const undo = replaceFetch({
      current: () => session,
      isExempt: () => false,
      mayBypassEngine: false,
      onUnlistedHost: () => {},
      onReplacedFetch: () => () => {},
    });
    const headers = { "content-length": length };
    const answer = fetch(url, { method: "POST", headers, body: body as Readable, duplex });
    undo();
    await (await answer).text();
  },
  "dispatcher.request": async (client, asked) => {
    const answer = await request(asked.url, optionsOf(client, asked));
    await answer.body.text();
  },
  "dispatcher.stream": async (client, asked) => {
    const sink = new Writable({
      write(_piece, _encoding, done) {
        done();
      },
    });
    await stream(asked.url, optionsOf(client, asked), () => sink);
  },
  "dispatcher.pipeline": async (client, asked) => {
    const { body, ...options } = optionsOf(client, asked);
    const duplexStream = pipeline(asked.url, options, ({ body: answer }) => answer);
    const text: unknown = body;
    if (typeof text === "string" || text instanceof Uint8Array) duplexStream.end(text);
    else if (text instanceof Blob) duplexStream.end(Buffer.from(await text.arrayBuffer()));
    else Readable.from(text as AsyncIterable<Buffer>, { objectMode: false }).pipe(duplexStream);
    duplexStream.resume();
    await finished(duplexStream);
  },
  "dispatcher.dispatch": async (client, asked) => {
    const { dispatcher, ...options } = optionsOf(client, asked);
    const { origin, pathname } = new URL(asked.url);
    await new Promise<void>((resolve, reject) => {
      dispatcher.dispatch(
        { ...options, origin, path: pathname },
        {
          onRequestStart: () => {},
          onResponseStart: () => {},
          onResponseData: () => {},
          onResponseEnd: () => {
            resolve();
          },
          onResponseError: (_controller, error) => {
            reject(error);
          },
        },
      );
    });
  },
};

/** Returns the code of an error or, as `fetch` reports it, of its cause. */
function codeOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return null;
  if ("code" in error) return error.code;
  return "cause" in error ? codeOf(error.cause) : null;
}

const servers = {
  "HTTP/1.1": async () => {
    const server = await startByteServer();
    return {
      url: server.url,
      /** Returns all bytes except the heads of POST requests. */
      bodyBytes: () => server.receivedText().replace(/POST [^\r]* HTTP\/1\.1\r\n(?:[^\r]+\r\n)+\r\n/g, ""),
    };
  },
  "HTTP/2": async () => {
    const server = await startRawHttp2Server({});
    return {
      url: `http://127.0.0.1:${server.port}`,
      bodyBytes: () =>
        server
          .framesOf("DATA")
          .map(({ payload }) => Buffer.from(payload).toString())
          .join(""),
    };
  },
};

const text = `one,two,${smuggled}`;
const declared = { shorter: 8, longer: text.length + 10 };
const cases = Object.entries(declared).flatMap(([which, length]) =>
  Object.keys(bodies).map((kind) => ({ kind, what: `${which} than ${kind}`, length })),
);
const isStream = (kind: string): boolean => kind === "a Readable" || kind === "an iterable";

describe.each(["bearhug", "undici"] as const)("over transport %s", (transport) => {
  describe.each(["HTTP/1.1", "HTTP/2"] as const)("over %s", (protocol) => {
    const options = { ...defaultHttp, transport, protocol: protocol === "HTTP/2" ? "h2c" : "http1" } as const;

    test.each(Object.entries(senders))(
      "%s refuses a content-length that is not the body's",
      async (name, send) => {
        const started = await Promise.all(cases.map(() => servers[protocol]()));
        const hosts = started.map(({ url }) => new URL(url).host);
        const client = startClient(null, hosts, [], options);
        for (const [at, { kind, what, length }] of cases.entries()) {
          const asked = {
            url: `${started[at]?.url ?? ""}/a`,
            length: String(length),
            body: bodies[kind]?.(text),
          };
          const code = await send(client, asked).then(codeOf, codeOf);
          const ours = isStream(kind) ? "REQUEST_BODY_FAILED" : "INVALID_REQUEST";
          expect(code, what).toBe(name === "http.post" ? ours : "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH");
          expect(client.vu.isIdle, what).toBe(true);
        }
        for (const [at, { kind, what, length }] of cases.entries()) {
          const sent = started[at]?.bodyBytes() ?? "";
          expect(text.startsWith(sent), what).toBe(true);
          expect(sent.length, what).toBeLessThanOrEqual(length);
          // `fetch` and `pipeline` turn every body into a stream.
          if (!isStream(kind) && !/fetch|pipeline/.test(name)) expect(sent, what).toBe("");
        }
      },
    );
  });
});
