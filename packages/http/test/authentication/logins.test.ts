import { createHash } from "node:crypto";
import { Readable } from "node:stream";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Auth } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

const ann = { type: "digest", username: "ann", password: "sword fish" } as const;

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/** Starts a server that requires a digest of ann; each nonce lasts for so many requests. */
async function startDigestServer(usesPerNonce = Number.POSITIVE_INFINITY) {
  const seen: string[] = [];
  let [nonce, uses] = [0, 0];
  const server = await startServer((request, response, body) => {
    const { method = "", url = "" } = request;
    const given = request.headers.authorization ?? "";
    const field = (name: string): string => new RegExp(`\\b${name}="?([^",]*)"?`).exec(given)?.[1] ?? "";
    const isStale = field("nonce") !== `n${nonce}` || uses >= usesPerNonce;
    const secret = md5("ann:shop, west:sword fish");
    const wanted = md5(
      `${secret}:${field("nonce")}:${field("nc")}:${field("cnonce")}:auth:${md5(`${method}:${url}`)}`,
    );
    seen.push(`${method} ${url} ${given === "" ? "nobody" : field("nc")} ${body.length}`);
    if (field("response") === wanted && field("uri") === url && !isStale) {
      uses++;
      response.end("welcome");
      return;
    }
    if (isStale) [nonce, uses] = [nonce + 1, 0];
    const stale = given !== "" && isStale ? ", stale=true" : "";
    response.setHeader(
      "www-authenticate",
      `Digest realm="shop, west", qop="auth", nonce="n${nonce}"${stale}`,
    );
    response.statusCode = 401;
    response.end();
  });
  return { ...server, seen };
}

function as(url: string, auth: Auth | null): ReturnType<typeof startClient> {
  const http: ValidatedHttp = { ...defaultHttp, auth };
  return startClient(url, [], [], http);
}

describe("a login by digest", () => {
  test("sends the same request with its body again after a challenge, and logs in at once later", async () => {
    const server = await startDigestServer();
    const { http } = as(server.url, ann);
    expect((await http.post("/orders?a=1", { json: { id: 1 } })).text()).toBe("welcome");
    expect((await http.get("/b")).status).toBe(200);
    expect(server.seen).toEqual([
      "POST /orders?a=1 nobody 8",
      "POST /orders?a=1 00000001 8",
      "GET /b 00000002 0",
    ]);
  });

  test("logs in on the connection that the challenge came on", async () => {
    const server = await startDigestServer();
    const { http, metric } = as(server.url, ann);
    expect((await http.get("/a")).status).toBe(200);
    expect(metric("connections_opened")).toMatchObject({ total: 1 });
  });

  test("counts the challenge as a request that did not fail", async () => {
    const server = await startDigestServer();
    const { http, metric } = as(server.url, ann);
    await http.get("/a", { expect: 200 });
    expect(metric("http_reqs")).toMatchObject({ total: 2 });
    expect(metric("http_reqs{status:401}")).toMatchObject({ total: 1 });
    expect(metric("http_req_failed")).toMatchObject({ trues: 0, samples: 2 });
  });

  test("takes a new challenge when the nonce is stale", async () => {
    const server = await startDigestServer(1);
    const { http } = as(server.url, ann);
    expect([(await http.get("/a")).status, (await http.get("/b")).status]).toEqual([200, 200]);
    expect(server.seen).toEqual([
      "GET /a nobody 0",
      "GET /a 00000001 0",
      "GET /b 00000002 0",
      "GET /b 00000001 0",
    ]);
  });

  test("with a wrong password ends with the second 401, which is a failure", async () => {
    const server = await startDigestServer();
    const { http, metric } = as(server.url, { ...ann, password: "wrong" });
    expect((await http.get("/a")).status).toBe(401);
    expect(server.seen).toEqual(["GET /a nobody 0", "GET /a 00000001 0"]);
    expect(metric("http_req_failed")).toMatchObject({ trues: 1, samples: 2 });
  });

  test("is separate for each virtual user, and may be an option of one request", async () => {
    const server = await startDigestServer();
    const { http, another } = as(server.url, null);
    expect((await http.get("/a")).status).toBe(401);
    expect((await http.get("/a", { auth: ann })).status).toBe(200);
    expect((await another().http.get("/a", { auth: ann })).status).toBe(200);
    expect(server.seen.filter((line) => line.includes("nobody"))).toHaveLength(3);
  });

  test("cannot send a stream twice, so the response is the challenge", async () => {
    const server = await startDigestServer();
    const { http } = as(server.url, ann);
    expect((await http.post("/", { body: Readable.from([Buffer.from("x")]) })).status).toBe(401);
    expect(server.seen).toHaveLength(1);
  });
});

describe("auth of http", () => {
  test("is sent with each request, unless the request overrides it", async () => {
    const given: (string | undefined)[] = [];
    const server = await startServer((request, response) => {
      given.push(request.headers.authorization);
      response.end();
    });
    const { http } = as(server.url, { username: "ann", password: "x" });
    await http.get("/");
    await http.get("/", { auth: { bearer: "token" } });
    await http.get("/", { auth: "none" });
    await http.get("/", { headers: { Authorization: "Mine" } });
    expect(given).toEqual([`Basic ${btoa("ann:x")}`, "Bearer token", undefined, "Mine"]);
  });

  test("is not sent to another origin after a redirect", async () => {
    const given: (string | undefined)[] = [];
    const other = await startServer((request, response) => {
      given.push(request.headers.authorization);
      response.end();
    });
    const server = await startServer((_request, response) => {
      response.writeHead(302, { location: `${other.url}/x` }).end();
    });
    for (const auth of [{ bearer: "token" }, ann, aws]) {
      const { http } = startClient(server.url, [other.host], [], { ...defaultHttp, auth });
      await http.get("/");
    }
    expect(given).toEqual([undefined, undefined, undefined]);
  });

  test("signs requests for AWS, and refuses a stream, whose bytes would have to be signed", async () => {
    const seen: Readonly<Record<string, string | string[] | undefined>>[] = [];
    const server = await startServer((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const { http } = as(server.url, aws);
    await http.post("/items", { json: { a: 1 }, params: { b: "x y" } });
    expect(seen[0]).toMatchObject({
      "content-type": "application/json",
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/execute-api\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
      ) as string,
    });
    await expect(http.post("/items", { body: Readable.from([Buffer.from("x")]) })).rejects.toThrow(
      "auth: AWS signatures cover the body",
    );
  });
});

const aws = {
  type: "aws-sigv4",
  region: "eu-central-1",
  service: "execute-api",
  accessKeyId: "AKID",
  secretAccessKey: "very secret",
} as const;
