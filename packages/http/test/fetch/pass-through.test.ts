import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { expect, test } from "vitest";
import { fetch, FormData, Request, type RequestInit, type Response } from "undici";

import { measuredFetch } from "../../src/fetch/measured-fetch.ts";
import { startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

type Fetch = typeof fetch;

interface Row {
  readonly what: string;
  /** Observes undici's behaviour, which must be the same over the engine. */
  readonly see: (fetch: Fetch, url: string) => Promise<unknown>;
}

/** Starts a server that responds with the request that it received, or as the path says. */
const startTarget = () =>
  startServer((asked, response, body) => {
    const { pathname, searchParams } = new URL(asked.url ?? "", "http://target");
    const status = Number(searchParams.get("status") ?? 200);
    if (pathname === "/redirect")
      response.writeHead(status, { location: searchParams.get("to") ?? "" }).end("moved");
    else if (pathname === "/encoded") {
      const packed = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[
        searchParams.get("with") ?? ""
      ];
      response
        .writeHead(200, { "content-encoding": searchParams.get("with") ?? "" })
        .end(packed?.("unpacked"));
    } else if (pathname === "/headers") {
      response
        .writeHead(status, { "x-many": ["1", "2"], "set-cookie": ["a=1", "b=2"], "x-latin": "\xe9" })
        .end();
    } else if (pathname === "/form") {
      const form =
        searchParams.get("as") === "multipart"
          ? {
              type: "multipart/form-data; boundary=x",
              text: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="f.txt"\r\ncontent-type: text/plain\r\n\r\ncontent\r\n--x--\r\n',
            }
          : { type: searchParams.get("as") ?? "", text: "a=1&a=2" };
      response.writeHead(200, { "content-type": form.type }).end(form.text);
    } else if (pathname === "/pieces") {
      response.write("one,");
      setTimeout(() => response.end("two"), 10);
    } else {
      const { "user-agent": _agent, "content-type": type = "", ...headers } = asked.headers;
      const boundary = /boundary=(.*)/.exec(type)?.[1] ?? "no boundary";
      const text = body.toString().replaceAll(boundary, "BOUNDARY");
      response.statusCode = status;
      const shown = {
        ...headers,
        "content-type": type.replace(boundary, "BOUNDARY"),
        // Boundaries differ in length.
        "content-length": type.includes("form-data") ? "" : headers["content-length"],
      };
      const { method, url } = asked;
      response.end(JSON.stringify({ method, url, headers: Object.entries(shown).sort(), text }));
    }
  });

/** Returns the public properties of a response, and its text. */
async function seen(response: Response): Promise<unknown> {
  const { status, statusText, ok, redirected, type, url, bodyUsed } = response;
  return { status, statusText, ok, redirected, type, url, bodyUsed, text: await response.text() };
}

const sending = (what: string, init: () => RequestInit): Row => ({
  what,
  see: async (fetch, url) => seen(await fetch(`${url}/echo`, init())),
});

const redirects = (["follow", "manual", "error"] as const).flatMap((redirect) =>
  [301, 302, 303, 307, 308].flatMap((status) =>
    ["GET", "POST"].map((method): Row => ({
      what: `redirect: ${redirect}, of a ${method}, by status ${status}`,
      see: async (fetch, url) =>
        seen(
          await fetch(`${url}/redirect?status=${status}&to=/echo`, {
            redirect,
            method,
            ...(method === "POST" ? { body: "text" } : {}),
          }),
        ),
    })),
  ),
);

const uploads = [
  sending("a text", () => ({ method: "POST", body: "text" })),
  sending("no body", () => ({ method: "POST" })),
  sending("bytes", () => ({ method: "PUT", body: Buffer.from("bytes") })),
  sending("an ArrayBuffer", () => ({ method: "PUT", body: new Uint8Array([65, 66]).buffer })),
  sending("a Blob with its type", () => ({
    method: "POST",
    body: new Blob(["blob"], { type: "text/x-blob" }),
  })),
  sending("URLSearchParams", () => ({ method: "POST", body: new URLSearchParams({ a: "1" }) })),
  sending("a FormData with a file", () => {
    const body = new FormData();
    body.append("a", "1");
    body.append("file", new File(["content"], "file.txt", { type: "text/plain" }));
    return { method: "POST", body };
  }),
  sending("a ReadableStream with duplex", () => ({
    method: "POST",
    duplex: "half",
    body: new Blob(["streamed"]).stream(),
  })),
  sending("an async iterable with duplex", () => ({
    method: "POST",
    duplex: "half",
    body: (async function* () {
      yield await Promise.resolve(Buffer.from("one,"));
      yield Buffer.from("two");
    })(),
  })),
  sending("a stream without duplex", () => ({ method: "POST", body: new Blob(["streamed"]).stream() })),
  sending("a stream that fails", () => ({
    method: "POST",
    duplex: "half",
    body: new ReadableStream({
      pull() {
        throw new Error("no more");
      },
    }),
  })),
];

const options = [
  sending("headers", () => ({
    headers: [
      ["x-a", "1"],
      ["x-a", "2"],
    ],
  })),
  sending("keepalive", () => ({ keepalive: true })),
  ...(["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"] as const).map((cache) =>
    sending(`cache: ${cache}`, () => ({ cache })),
  ),
  sending("referrer: about:client", () => ({ referrer: "about:client", referrerPolicy: "no-referrer" })),
  sending("referrer: an address", () => ({ referrer: "http://elsewhere/", referrerPolicy: "unsafe-url" })),
  ...(["omit", "same-origin", "include"] as const).map((credentials) =>
    sending(`credentials: ${credentials}`, () => ({ credentials })),
  ),
  ...(["cors", "no-cors", "same-origin"] as const).map((mode) => sending(`mode: ${mode}`, () => ({ mode }))),
  sending("mode: navigate", () => ({ mode: "navigate" })),
  sending("window: null", () => ({ window: null })),
  sending("HEAD", () => ({ method: "HEAD" })),
  sending("OPTIONS", () => ({ method: "OPTIONS" })),
  sending("a method of one's own", () => ({ method: "QUERY", body: "text" })),
  sending("a GET with a body", () => ({ body: "text" })),
  sending("a forbidden method", () => ({ method: "TRACE" })),
  sending("an invalid header", () => ({ headers: { "x-a": "line\nbreak" } })),
  sending("a signal that was aborted", () => ({ signal: AbortSignal.abort(new Error("enough")) })),
];

const integrityOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const answers: readonly Row[] = [
  ...["one,two", "another"].map((text) => ({
    what: `the integrity of "${text}"`,
    see: async (fetch: Fetch, url: string) =>
      seen(await fetch(`${url}/pieces`, { integrity: integrityOf(text) })),
  })),
  {
    what: "statuses that are no success",
    see: async (fetch, url) => seen(await fetch(`${url}/echo?status=404`)),
  },
  { what: "204 without a body", see: async (fetch, url) => (await fetch(`${url}/headers?status=204`)).body },
  { what: "304 without a body", see: async (fetch, url) => (await fetch(`${url}/headers?status=304`)).body },
  {
    what: "headers",
    see: async (fetch, url) =>
      [...(await fetch(`${url}/headers`)).headers].filter(([name]) => name !== "date"),
  },
  { what: "set-cookie", see: async (fetch, url) => (await fetch(`${url}/headers`)).headers.getSetCookie() },
  ...["gzip", "br", "deflate"].map((encoding) => ({
    what: `a body in ${encoding}`,
    see: async (fetch: Fetch, url: string) => (await fetch(`${url}/encoded?with=${encoding}`)).text(),
  })),
  ...["multipart", "application/x-www-form-urlencoded", "text/plain"].flatMap((type) =>
    (["formData", "text"] as const).map((method) => ({
      what: `${method}() of ${type}`,
      see: async (fetch: Fetch, url: string) => {
        const form = await (await fetch(`${url}/form?as=${type}`))[method]();
        if (typeof form === "string") return form;
        return Promise.all(
          [...form].map(async ([name, value]) =>
            typeof value === "string" ? [name, value] : [name, value.name, value.type, await value.text()],
          ),
        );
      },
    })),
  ),
  { what: "json()", see: async (fetch, url) => (await fetch(`${url}/echo`)).json() },
  { what: "bytes()", see: async (fetch, url) => (await fetch(`${url}/pieces`)).bytes() },
  { what: "arrayBuffer()", see: async (fetch, url) => (await fetch(`${url}/pieces`)).arrayBuffer() },
  { what: "blob()", see: async (fetch, url) => (await (await fetch(`${url}/pieces`)).blob()).size },
  {
    what: "a clone",
    see: async (fetch, url) => {
      const response = await fetch(`${url}/pieces`);
      const clone = response.clone();
      return [await response.text(), await clone.text()];
    },
  },
  {
    what: "pieces as they come",
    see: async (fetch, url) => {
      const pieces: string[] = [];
      for await (const piece of (await fetch(`${url}/pieces`)).body ?? [])
        pieces.push(Buffer.from(piece as Uint8Array).toString());
      return pieces;
    },
  },
  {
    what: "a body that is read twice",
    see: async (fetch, url) => {
      const response = await fetch(`${url}/pieces`);
      return [await response.text(), await response.text()];
    },
  },
  {
    what: "a Request",
    see: async (fetch, url) =>
      seen(await fetch(new Request(`${url}/echo`, { method: "POST", body: "text" }))),
  },
  {
    what: "a Request with options over it",
    see: async (fetch, url) => seen(await fetch(new Request(`${url}/echo`), { method: "PUT", body: "text" })),
  },
  { what: "a data: address", see: async (fetch) => (await fetch("data:text/plain,hello")).text() },
  { what: "an address that is none", see: (fetch) => fetch("http://") },
  { what: "an address with credentials", see: (fetch, url) => fetch(url.replace("//", "//user:password@")) },
  { what: "another scheme", see: (fetch) => fetch("ftp://host/") },
  {
    what: "redirects without end",
    see: (fetch, url) =>
      fetch(`${url}/redirect?status=302&to=${encodeURIComponent("/redirect?status=302&to=/redirect")}`),
  },
  {
    what: "a redirect to nothing that is an address",
    see: (fetch, url) => fetch(`${url}/redirect?status=302&to=http://`),
  },
];

/** Returns the result, or the parts of the thrown error that do not depend on the transport. */
async function outcomeOf(seeing: () => Promise<unknown>): Promise<unknown> {
  try {
    return await seeing();
  } catch (error) {
    if (!(error instanceof Error)) return error;
    const { name, message, cause } = error;
    return { name, message, cause: cause instanceof Error ? cause.message : undefined };
  }
}

/** The rows of the table in docs/clients.md: the cases below, by topic. */
const documented = [
  ["redirects", "`follow`, `manual` and `error`, for 301, 302, 303, 307 and 308, of `GET` and `POST`"],
  ...Object.entries({ "request bodies": uploads, "request options": options, responses: answers }).map(
    ([about, rows]) => [about, rows.map(({ what }) => what).join("; ")],
  ),
];

test("the documentation lists all cases", () => {
  const page = readFileSync(new URL("../../../../docs/clients.md", import.meta.url), "utf8");
  const [, table = ""] = page.split(/^\| tried +\| .*\n.*\n/m);
  const cells = table
    .split("\n\n")[0]
    ?.split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .map((row) => row.map((cell) => cell.trim()));
  expect(cells).toEqual(documented);
});

test.for([...redirects, ...uploads, ...options, ...answers])(
  "undici's behaviour passes through: $what",
  async ({ see }) => {
    const { url } = await startTarget();
    const { session, vu } = startClient(url);
    const overEngine = (...[input, init = {}]: Parameters<Fetch>) =>
      measuredFetch(session, input, init, null);
    const expected = await outcomeOf(() => see(fetch, url));
    expect(await outcomeOf(() => see(overEngine, url))).toEqual(expected);
    await vu.idle();
  },
);
