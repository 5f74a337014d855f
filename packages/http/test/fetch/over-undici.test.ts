import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, onTestFinished, test } from "vitest";

import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { startClient } from "../start-client.ts";

/** The parts that requests of HTTP/1.1 and of HTTP/2 share. */
interface SharedRequest extends AsyncIterable<Buffer> {
  readonly httpVersion: string;
  readonly url?: string | undefined;
}
interface SharedResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(piece: string): boolean;
  end(body: string): unknown;
}

/** Starts a server, with HTTP/2 over TLS, that echoes bodies, redirects, and begins streams of events. */
async function startShop(isSecure: boolean) {
  const urls: string[] = [];
  const versions = new Set<string>();
  const streams: SharedResponse[] = [];
  const serve = async (request: SharedRequest, answer: SharedResponse): Promise<void> => {
    const { url = "", httpVersion } = request;
    urls.push(url);
    versions.add(httpVersion);
    let body = "";
    for await (const piece of request) body += piece.toString();
    if (url === "/away") answer.writeHead(302, { location: "/echo" });
    else if (url === "/gone") answer.writeHead(404, {});
    else if (url === "/events") {
      answer.writeHead(200, { "content-type": "text/event-stream" });
      answer.write("data: 1\n\n");
      streams.push(answer);
      return;
    } else if (url === "/silent") return;
    answer.end(body);
  };
  const server = isSecure
    ? createSecureServer(makeCertificate("IP:127.0.0.1"), (request, answer) => void serve(request, answer))
    : createServer((request, answer) => void serve(request, answer));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}`, urls, versions, streams };
}

const tls = { ...defaultHttp.tls, insecureSkipTlsVerify: true };
const options: ValidatedHttp = { ...defaultHttp, transport: "undici", tls };

describe.each([
  { over: "HTTP/1.1", isSecure: false, version: "1.1" },
  { over: "HTTP/2", isSecure: true, version: "2.0" },
])("fetch with transport undici over $over", ({ isSecure, version }) => {
  test.skipIf(isSecure && !hasOpenssl)("is counted exactly as the server counts requests", async () => {
    const server = await startShop(isSecure);
    const { http, vu, row, metric, engine } = startClient(server.url, [], [], options);
    const body = "x".repeat(100_000);
    const echo = async (): Promise<string> => (await http.fetch("/echo", { method: "POST", body })).text();
    const away = async (): Promise<string> => (await http.fetch("/away")).text();
    const gone = async (): Promise<number> => (await http.fetch("/gone")).status;
    const all = await Promise.all(Array.from({ length: 10 }, () => Promise.all([echo(), away(), gone()])));
    expect(all).toEqual(Array.from({ length: 10 }, () => [body, "", 404]));
    const given = new AbortController();
    const silent = http.fetch("/silent", { signal: given.signal });
    await expect.poll(() => server.urls.includes("/silent")).toBe(true);
    given.abort();
    await expect(silent).rejects.toThrow("aborted");
    await vu.idle();

    expect([...server.versions]).toEqual([version]);
    const count = (url: string): number => server.urls.filter((one) => one === url).length;
    expect(["/echo", "/away", "/gone", "/silent"].map(count)).toEqual([20, 10, 10, 1]);
    const none = { failed: 0, interrupted: 0 };
    expect(row("POST /echo")).toMatchObject({ started: 10, sent: 10, succeeded: 10, ...none });
    expect(row("GET /echo")).toMatchObject({ started: 10, sent: 10, succeeded: 10, ...none });
    expect(row("GET /away")).toMatchObject({ started: 10, sent: 10, succeeded: 10, ...none });
    expect(row("GET /gone")).toMatchObject({ started: 10, sent: 10, succeeded: 0, failed: 10 });
    expect(row("GET /silent")).toMatchObject({ started: 1, sent: 1, succeeded: 0, failed: 1 });
    expect(metric("http_reqs")).toMatchObject({ total: server.urls.length });
    expect(metric("http_req_duration{name:POST /echo}")).toMatchObject({ count: 10 });
    expect(metric("http_req_waiting")).toMatchObject({ count: server.urls.length });
    expect(engine.errors.all().map(({ code }) => code)).toEqual(["HTTP_404", "REQUEST_ABORTED"]);
  });

  test.skipIf(isSecure && !hasOpenssl)("streams: a piece arrives before the next is sent", async () => {
    const server = await startShop(isSecure);
    const { http, row } = startClient(server.url, [], [], options);
    const { body } = await http.fetch("/events");
    const seen: string[] = [];
    for await (const piece of body ?? []) {
      seen.push(Buffer.from(piece as Uint8Array).toString());
      if (seen.length < 3) server.streams[0]?.write(`data: ${seen.length + 1}\n\n`);
      else server.streams[0]?.end("");
    }
    expect(seen).toEqual(["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]);
    expect(row("GET /events")).toMatchObject({ started: 1, sent: 1, succeeded: 1, failed: 0 });
  });
});
