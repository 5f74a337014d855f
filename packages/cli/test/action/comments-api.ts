import { createServer, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

export interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  readonly body: string;
}

/**
 * The parts of GitHub's API that the action uses, for the repository octo/shop. It accepts the token
 * "job-token".
 */
export interface GithubStub {
  readonly url: string;
  /** The comments on each pull request. */
  readonly comments: Map<number, Comment[]>;
  readonly artifacts: unknown[];
  /** The method and path of each request. */
  readonly requests: string[];
  /** The status with which requests that write are refused; 0 to carry them out. */
  refuseWrites: number;
}

/** Starts a stub of GitHub's API that ends with the test. */
export async function startGithub(): Promise<GithubStub> {
  const stub: GithubStub = { url: "", comments: new Map(), artifacts: [], requests: [], refuseWrites: 0 };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const [status, answer] = decide(stub, request, body);
      response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify(answer));
    });
  });
  return Object.assign(stub, { url: await listen(server) });
}

type Answer = readonly [status: number, body: unknown];

function decide(stub: GithubStub, { method = "", url = "", headers }: IncomingMessage, body: string): Answer {
  stub.requests.push(`${method} ${url}`);
  if (headers.authorization !== "Bearer job-token") return [401, { message: "Bad credentials" }];
  if (headers.accept !== "application/vnd.github+json" || headers["user-agent"] === undefined)
    return [400, { message: "Bad headers" }];
  const { pathname, searchParams } = new URL(url, "http://stub");
  const [, list, id] =
    /^\/repos\/octo\/shop\/(issues\/(\d+)\/comments|actions\/artifacts)$/.exec(pathname) ?? [];
  const [, ofComment] = /^\/repos\/octo\/shop\/issues\/comments\/(\d+)$/.exec(pathname) ?? [];
  if (method !== "GET" && stub.refuseWrites > 0)
    return [stub.refuseWrites, { message: "Resource not accessible by integration" }];
  if (method === "GET" && list === "actions/artifacts") {
    const named = stub.artifacts.filter((one) => hasName(one, searchParams.get("name")));
    return [200, { total_count: named.length, artifacts: pageOf(named, searchParams) }];
  }
  const comments = stub.comments.get(Number(id)) ?? [];
  if (method === "GET" && list !== undefined) return [200, pageOf(comments, searchParams)];
  if (method === "POST" && list !== undefined) return [201, addComment(stub, Number(id), textOf(body))];
  if (method === "PATCH" && ofComment !== undefined)
    return editComment(stub, Number(ofComment), textOf(body));
  return [404, { message: "Not Found" }];
}

/** Returns one page of a list: 30 entries by default, at most 100, as on GitHub. */
function pageOf<T>(all: readonly T[], parameters: URLSearchParams): T[] {
  const size = Math.min(100, Number(parameters.get("per_page") ?? 30));
  const page = Number(parameters.get("page") ?? 1);
  return all.slice((page - 1) * size, page * size);
}

function addComment(stub: GithubStub, pullRequest: number, body: string): Comment {
  const existing = stub.comments.get(pullRequest) ?? [];
  const comment = { id: 1000 + existing.length, user: { login: "github-actions[bot]" }, body };
  stub.comments.set(pullRequest, [...existing, comment]);
  return comment;
}

function editComment(stub: GithubStub, id: number, body: string): Answer {
  for (const [pullRequest, comments] of stub.comments) {
    const edited = comments.map((one) => (one.id === id ? { ...one, body } : one));
    if (comments.every((one) => one.id !== id)) continue;
    stub.comments.set(pullRequest, edited);
    return [200, edited.find((one) => one.id === id)];
  }
  return [404, { message: "Not Found" }];
}

function hasName(artifact: unknown, name: string | null): boolean {
  return typeof artifact === "object" && artifact !== null && "name" in artifact && artifact.name === name;
}

function textOf(body: string): string {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed === "object" && parsed !== null && "body" in parsed && typeof parsed.body === "string")
    return parsed.body;
  throw new Error("a comment needs a body");
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString("utf8");
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
