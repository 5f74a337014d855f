import { Readable, Writable } from "node:stream";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { StopSignal, type Http } from "@bearhug/sdk";
import { fetch, FormData, interceptors, pipeline, request, stream, Dispatcher } from "undici";
import { describe, expect, test } from "vitest";

import { startHttp2Server } from "../http2/http2-server.ts";
import { startRawServer, startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

/** Starts a server that responds with the request that it received. */
const startEcho = () =>
  startServer((asked, response, body) => {
    const { method, url, headers } = asked;
    response.setHeader("x-many", ["1", "2"]);
    response.end(JSON.stringify({ method, url, headers, body: body.toString() }));
  });

/** Returns the dispatcher of `http` as an instance of undici's own class. */
function dispatcherOf({ dispatcher }: Pick<Http, "dispatcher">): Dispatcher {
  const given: unknown = dispatcher;
  if (!(given instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
  return given;
}

const codeOf = (error: Error) => ("code" in error ? error.code : null);

/** Returns a stream that collects what is written to it. */
function collector(): Writable & { readonly text: () => string } {
  const pieces: Buffer[] = [];
  const sink = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return Object.assign(sink, { text: () => Buffer.concat(pieces).toString() });
}

describe("http.dispatcher", () => {
  test("serves undici's own functions, and counts what they send", async () => {
    const server = await startEcho();
    const { http, row, metric } = startClient(server.url);
    const dispatcher = dispatcherOf(http);
    const { statusCode, headers, body } = await request(`${server.url}/a`, {
      dispatcher,
      query: { q: ["1", "2"], r: "x y" },
    });
    expect([statusCode, headers["x-many"]]).toEqual([200, ["1", "2"]]);
    expect(await body.json()).toMatchObject({ method: "GET", url: "/a?q=1&q=2&r=x%20y" });
    expect(await (await fetch(`${server.url}/b`, { dispatcher })).json()).toMatchObject({ url: "/b" });
    const sink = collector();
    await stream(`${server.url}/c`, { dispatcher, method: "GET" }, () => sink);
    expect(JSON.parse(sink.text())).toMatchObject({ url: "/c" });
    const upload = pipeline(`${server.url}/d`, { dispatcher, method: "PUT" }, ({ body: answer }) => answer);
    upload.end("piped");
    expect(
      await upload
        .setEncoding("utf8")
        .toArray()
        .then((pieces) => JSON.parse(pieces.join("")) as unknown),
    ).toMatchObject({ method: "PUT", body: "piped" });
    for (const name of ["GET /a", "GET /b", "GET /c", "PUT /d"])
      expect(row(name), name).toMatchObject({ started: 1, sent: 1, succeeded: 1, failed: 0 });
    expect(metric("http_req_duration{name:GET /a}")).toMatchObject({ count: 1 });
    expect(metric("http_req_waiting")).toMatchObject({ count: 4 });
    expect(server.connectionOf).toEqual([0, 0, 0, 0]);
  });

  test.each<[string, Dispatcher.DispatchOptions["headers"]]>([
    ["a flat list", ["x-a", "1", "x-b", "2", "x-b", "3"]],
    ["an object", { "x-a": "1", "x-b": ["2", "3"] }],
    [
      "pairs",
      new Map([
        ["x-a", "1"],
        ["x-b", "2, 3"],
      ]),
    ],
  ])("takes headers as %s", async (_form, headers) => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    const { body } = await request(server.url, {
      dispatcher: dispatcherOf(http),
      ...(headers === undefined ? {} : { headers }),
    });
    expect(await body.json()).toMatchObject({ headers: { "x-a": "1", "x-b": "2, 3" } });
  });

  test.each([
    ["a text", () => "hello", "5"],
    ["bytes", () => Buffer.from("hello"), "5"],
    ["a stream of bytes", () => Readable.from([Buffer.from("hel"), Buffer.from("lo")]), undefined],
    ["a stream of texts", () => Readable.from(["hel", "lo"]), undefined],
  ])("sends %s", async (_form, makeBody, length) => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    const { body } = await request(server.url, {
      dispatcher: dispatcherOf(http),
      method: "POST",
      body: makeBody(),
    });
    const echo = (await body.json()) as { body: string; headers: Record<string, string> };
    expect([echo.body, echo.headers["content-length"]]).toEqual(["hello", length]);
  });

  test("sends a FormData with its type", async () => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    const form = new FormData();
    form.append("name", "value");
    const { body } = await request(server.url, {
      dispatcher: dispatcherOf(http),
      method: "POST",
      body: form,
    });
    const echo = (await body.json()) as { body: string; headers: Record<string, string> };
    expect(echo.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(echo.body).toContain('name="name"\r\n\r\nvalue');
  });

  test("reports a body that cannot be read with the body's own error", async () => {
    const server = await startRawServer(() => {});
    const { http, engine } = startClient(server.url);
    const broken = new Error("disk gone");
    const body = new Readable({
      read() {
        this.destroy(broken);
      },
    });
    await expect(request(server.url, { dispatcher: dispatcherOf(http), method: "POST", body })).rejects.toBe(
      broken,
    );
    expect(engine.errors.all().map(({ code }) => code)).toEqual(["REQUEST_BODY_FAILED"]);
  });

  test("reports a body that cannot be destroyed, and the request ends nevertheless", async () => {
    const server = await startEcho();
    const { http, vu, row } = startClient(server.url);
    const body = Readable.from(["sent"], { autoDestroy: false });
    body.destroy = () => {
      throw new Error("no closing");
    };
    const sent = request(server.url, { dispatcher: dispatcherOf(http), method: "PUT", body });
    await expect(sent.then((response) => response.body.text())).rejects.toThrow("no closing");
    expect(vu.isIdle).toBe(true);
    expect(row("PUT /")).toMatchObject({ started: 1, succeeded: 1 });
  });

  test("takes interceptors, and counts each retry as a request", async () => {
    let asked = 0;
    const server = await startServer((_request, response) => {
      response.statusCode = ++asked < 3 ? 503 : 200;
      response.end("done");
    });
    const { http, row } = startClient(server.url);
    const dispatcher = dispatcherOf(http).compose(interceptors.retry({ minTimeout: 1, maxTimeout: 1 }));
    const { statusCode, body } = await request(server.url, { dispatcher });
    expect([statusCode, await body.text()]).toEqual([200, "done"]);
    expect(row("GET /")).toMatchObject({ started: 3, succeeded: 1, failed: 2 });
  });

  test.each([
    ["an upgrade", { upgrade: "websocket" }],
    ["CONNECT", { method: "CONNECT" }],
  ])("refuses %s, and settles once", async (_what, options) => {
    const { http, engine } = startClient("http://127.0.0.1:9");
    const reported: unknown[] = [];
    const handler = {
      onRequestStart: () => reported.push("start"),
      onResponseError: (_controller: unknown, error: Error) => reported.push(codeOf(error)),
    };
    const dispatcher = dispatcherOf(http);
    const asked = { origin: "http://127.0.0.1:9", path: "/", method: "GET", ...options };
    expect(dispatcher.dispatch(asked, handler)).toBe(true);
    expect(reported).toEqual(["UND_ERR_NOT_SUPPORTED"]);
    expect(engine.accounting.requests()).toEqual([]);
  });

  test("stays open when the test closes it", async () => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    await http.dispatcher.close();
    await http.dispatcher.destroy();
    expect((await request(server.url, { dispatcher: dispatcherOf(http) })).statusCode).toBe(200);
  });

  test("rejects a request after the hard stop in a later turn: trying again and again blocks nothing", async () => {
    const { http, vu } = startClient("http://127.0.0.1:9");
    vu.stop();
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    await expect(request("http://127.0.0.1:9/", { dispatcher: dispatcherOf(http) })).rejects.toThrow(
      StopSignal,
    );
    expect(hasTurned).toBe(true);
  });

  test("calls a handler in undici's order, with copies of the data", async () => {
    let sendRest = (): void => undefined;
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 Fine\r\nX-A: 1\r\ncontent-length: 4\r\n\r\nab");
      sendRest = () => socket.write("cd");
    });
    const { http } = startClient(server.url);
    const calls: string[] = [];
    const pieces: Buffer[] = [];
    await new Promise<void>((resolve) => {
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (_controller, context) => calls.push(`start ${String(context)}`),
        onRequestSent: () => calls.push("sent"),
        onResponseStarted: () => calls.push("started"),
        onResponseStart: ({ rawHeaders }, status, headers, text) =>
          calls.push(
            `${status} ${text ?? ""} ${headers["x-a"]?.toString() ?? ""} ${Array.isArray(rawHeaders) ? rawHeaders.join() : ""}`,
          ),
        onResponseData: (_controller, piece) => {
          if (pieces.push(piece) === 1) sendRest();
        },
        onResponseError: (_controller, error) => {
          calls.push(error.message);
          resolve();
        },
        onResponseEnd: () => {
          calls.push("end");
          resolve();
        },
      };
      const dispatcher = dispatcherOf(http);
      expect(dispatcher.dispatch({ origin: server.url, path: "/", method: "GET" }, handler)).toBe(true);
      expect(calls).toEqual(["start null"]);
    });
    expect(calls).toEqual(["start null", "sent", "started", "200 Fine 1 X-A,1,content-length,4", "end"]);
    expect(pieces.map(String)).toEqual(["ab", "cd"]);
  });

  test.each(["bearhug", "undici"] as const)(
    "reports informational responses before the final one, with transport %s",
    async (transport) => {
      const server = await startRawServer((socket) => {
        socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n");
        setTimeout(() => socket.write("HTTP/1.1 200 OK\r\nx-a: 1\r\ncontent-length: 2\r\n\r\nok"), 20);
      });
      const { http, row } = startClient(server.url, [], [], { ...defaultHttp, transport });
      const reported: unknown[] = [];
      const onInfo = (info: unknown): void => void reported.push(info);
      const options = { method: "GET", dispatcher: dispatcherOf(http), onInfo } as const;
      const { statusCode, headers, body } = await request(server.url, options);
      expect([statusCode, headers, await body.text()]).toEqual([
        200,
        { "x-a": "1", "content-length": "2" },
        "ok",
      ]);
      expect(reported).toEqual([{ statusCode: 103, headers: { link: "</a.css>" } }]);
      const fetched = await http.fetch(server.url);
      expect([fetched.status, fetched.headers.get("link"), await fetched.text()]).toEqual([200, null, "ok"]);
      expect(row("GET /")).toMatchObject({ started: 2, sent: 2, succeeded: 2 });
    },
  );

  test.each(["bearhug", "undici"] as const)(
    "reports informational responses over HTTP/2, with transport %s",
    async (transport) => {
      const server = await startHttp2Server((response) => {
        response.writeEarlyHints({ link: "</a.css>" });
        response.end("ok");
      });
      const options = { ...defaultHttp, transport, protocol: "h2c" } as const;
      const { http } = startClient(`http://127.0.0.1:${server.port}`, [], [], options);
      const reported: unknown[] = [];
      const onInfo = (info: unknown): void => void reported.push(info);
      const url = `http://127.0.0.1:${server.port}`;
      const { body } = await request(url, { method: "GET", dispatcher: dispatcherOf(http), onInfo });
      expect(await body.text()).toBe("ok");
      expect(reported).toMatchObject([{ statusCode: 103, headers: { link: "</a.css>" } }]);
    },
  );

  test("calls handlers of undici 7 by their own methods", async () => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    const calls: string[] = [];
    await new Promise<void>((resolve) => {
      const handler = {
        onConnect: () => calls.push("connect"),
        onHeaders: (status: number) => calls.push(`headers ${status}`) > 0,
        onData: () => true,
        onComplete: () => {
          calls.push("complete");
          resolve();
        },
        onError: () => calls.push("error"),
      };
      dispatcherOf(http).dispatch({ origin: server.url, path: "/", method: "GET" }, handler as object);
    });
    expect(calls).toEqual(["connect", "headers 200", "complete"]);
  });

  test("reports an abort as the request starts once, and sends and counts nothing", () => {
    const { http, engine, vu } = startClient("http://127.0.0.1:9");
    const dispatcher = dispatcherOf(http);
    const reported: string[] = [];
    dispatcher.dispatch(
      { origin: "http://127.0.0.1:9", path: "/", method: "GET" },
      {
        onRequestStart: (controller) => controller.abort(new Error("no")),
        onResponseError: (_controller, { message }) => reported.push(message),
      },
    );
    expect(reported).toEqual(["no"]);
    expect(engine.accounting.requests()).toEqual([]);
    expect(vu.isIdle).toBe(true);
  });
});
