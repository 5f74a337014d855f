import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import { describe, expect, onTestFinished, test } from "vitest";

import { createCommand } from "../../../src/commands/bench/bench.ts";
import { findProblems } from "../../../src/commands/reading.ts";
import { readRequests, type RequestFlags } from "../../../src/commands/bench/bench-requests.ts";

const none: RequestFlags = { header: [], compressed: false };

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, "file");
  writeFileSync(path, text);
  return path;
}

function requestsOf(urls: readonly string[], flags: Partial<RequestFlags> = {}): readonly UrlRequest[] {
  const problems: string[] = [];
  const requests = readRequests(urls, { ...none, ...flags }, problems);
  expect(problems).toEqual([]);
  return requests;
}

function problemsOf(urls: readonly string[], flags: Partial<RequestFlags> = {}): string[] {
  const problems: string[] = [];
  readRequests(urls, { ...none, ...flags }, problems);
  return problems;
}

const plain = { method: "GET", headers: [], body: null, weight: 1 };

describe("the requests of a command line", () => {
  test("are one for each URL, with or without a scheme", () => {
    expect(requestsOf(["127.0.0.1:8080", "https://shop.test/a?b"])).toEqual([
      { ...plain, url: "http://127.0.0.1:8080/" },
      { ...plain, url: "https://shop.test/a?b" },
    ]);
  });

  test("have a body from a text, a file or a size, and then default to POST", () => {
    const path = fileWith("line\nline\n");
    const bytes = new Uint8Array(Buffer.from("line\nline\n"));
    expect(requestsOf(["http://a/"], { body: "text" })).toMatchObject([{ method: "POST", body: "text" }]);
    expect(requestsOf(["http://a/"], { body: `@${path}` })).toMatchObject([{ method: "POST", body: bytes }]);
    expect(requestsOf(["http://a/"], { bodyFile: path, method: "put" })).toMatchObject([
      { method: "PUT", body: bytes },
    ]);
    expect(requestsOf(["http://a/"], { bodySize: "5000" })[0]?.body).toHaveLength(5000);
    expect(requestsOf(["http://a/"], { bodySize: "1.5kB" })[0]?.body).toHaveLength(1500);
  });

  test("have the headers of -H, -u and --compressed", () => {
    const [request] = requestsOf(["http://a/"], {
      header: ["X-One: 1", "x-many:a"],
      user: "ann:sword:fish",
      compressed: true,
    });
    expect(request?.headers).toEqual([
      ["X-One", "1"],
      ["x-many", "a"],
      ["authorization", `Basic ${btoa("ann:sword:fish")}`],
      ["accept-encoding", "gzip, deflate, br, zstd"],
    ]);
  });

  test("include each line of --urls with its weight and method; a GET has no body there", () => {
    const urls = fileWith(
      "\uFEFF# cached\r\n3 http://a/x\r\n\n  get http://a/y\n0.5 DELETE https://ann:x@b/z\n",
    );
    expect(requestsOf(["http://first/"], { urls, body: "b" })).toEqual([
      { ...plain, method: "POST", body: "b", url: "http://first/" },
      { ...plain, method: "POST", body: "b", url: "http://a/x", weight: 3 },
      { ...plain, url: "http://a/y" },
      {
        ...plain,
        method: "DELETE",
        body: "b",
        url: "https://b/z",
        weight: 0.5,
        headers: [["authorization", `Basic ${btoa("ann:x")}`]],
      },
    ]);
  });
});

describe("a request that cannot be sent is reported in one sentence:", () => {
  test.each<[urls: string[], flags: Partial<RequestFlags>, sentence: string]>([
    [[], {}, "<url> is missing. See bearhug bench --help."],
    [
      ["http://a/"],
      { body: "x", bodyFile: import.meta.filename },
      "-b, -p: each sets the body of the requests. Keep one of them.",
    ],
    [["http://a/"], { bodyFile: "/no/such" }, "-p /no/such: there is no file /no/such."],
    [["http://a/"], { body: "@/no/such" }, "-b @/no/such: there is no file /no/such."],
    [["http://a/"], { bodyFile: "/" }, "-p /: cannot be read (EISDIR)."],
    ...["", "-1", "2GB", "5 parsecs"].map((size): [string[], Partial<RequestFlags>, string] => [
      ["http://a/"],
      { bodySize: size },
      `--body-size ${size}: must be a number of bytes such as 5000 or 20kB, at most 1GB.`,
    ]),
    [["http://a/"], { user: "swordfish" }, "-u: must be written user:password."],
    [["http://ann:x@a/"], { user: "ann:x" }, "-u: the URL contains a user, too. Remove one of them."],
    [
      ["http://a/"],
      { user: "ann:x", header: ["Authorization: Bearer t"] },
      "-u, -H authorization: both set this header. Remove one of them.",
    ],
    [
      ["http://a/"],
      { compressed: true, header: ["Accept-Encoding: br"] },
      "--compressed, -H accept-encoding: both set this header. Remove one of them.",
    ],
    [[], { urls: "/no/such" }, "--urls /no/such: there is no such file."],
  ])("%j with %j: %s", (urls, flags, sentence) => {
    expect(problemsOf(urls, flags)).toEqual([sentence]);
  });

  test("every invalid line of --urls, with its number", () => {
    const urls = fileWith("http://a/ http://b/\n0 http://a/\nftp://ann:x@a/\nCONNECT http://a/\n");
    expect(problemsOf([], { urls })).toEqual([
      `--urls ${urls}: line 1: must be written "[weight] [METHOD] URL".`,
      `--urls ${urls}: line 2: the weight must be above 0.`,
      `--urls ${urls}: line 3: "ftp://***@a/" is not an address such as http://127.0.0.1:8080/.`,
      `--urls ${urls}: line 4: CONNECT: opens a tunnel and cannot be used here.`,
    ]);
    const empty = fileWith("# nothing\n");
    expect(problemsOf([], { urls: empty })).toEqual([`--urls ${empty}: contains no URL.`]);
  });
});

test("with several URLs, a variant must state which path it replaces", () => {
  const line = ["--variant", "a=", "--variant", "b=/x"];
  const problems = (...urls: readonly string[]): string[] => {
    const command = createCommand();
    command.parseOptions([...urls, ...line]);
    return findProblems(urls, command);
  };
  expect(problems("127.0.0.1")).toEqual([]);
  expect(problems("127.0.0.1", "127.0.0.1/b")).toEqual([
    "--variant b=/x: several URLs are requested. Say which one to replace, such as '/=>/x'.",
  ]);
});

test.each([
  [
    ["-d", '{"a":1}'],
    `-d {"a":1}: -d is the duration of the load here, such as -d 30s. To send a body, as -d and --data of curl do, use --body '{"a":1}'.`,
  ],
  [
    ["-d", "name=x"],
    "-d name=x: -d is the duration of the load here, such as -d 30s. To send a body, as -d and --data of curl do, use --body 'name=x'.",
  ],
  [
    ["--protocol", "http2"],
    "--protocol http2: http://shop.example/ has no TLS, in which HTTP/2 is negotiated. For HTTP/2 without TLS, use --protocol h2c.",
  ],
] as const)("%j with an http:// URL is refused with the option that was probably meant", (line, problem) => {
  const command = createCommand();
  command.parseOptions(["http://shop.example/", ...line]);
  expect(findProblems(["http://shop.example/"], command)).toEqual([problem]);
});
