import { describe, expect, test } from "vitest";

import { basicLoad, cases, firstSecondCases } from "../../compare/cases.ts";
import type { ToolLoad, ToolId } from "../../compare/tool.ts";
import { tools } from "../../compare/tools.ts";

const order: ToolLoad = { ...basicLoad, url: "http://127.0.0.1:1/hello", assetUrls: [], seconds: 5 };

function invoke(id: ToolId, changes: Partial<ToolLoad> = {}) {
  const tool = tools.find((each) => each.id === id)!;
  const { options, script } = tool.invoke({ ...order, ...changes });
  return { options: options.join(" "), script };
}

test("every case names only existing tools, and none of them twice", () => {
  const known = tools.map(({ id }) => id);
  for (const { name, essential, others } of [...cases, ...firstSecondCases]) {
    const named = [...essential, ...others];
    expect(known, name).toEqual(expect.arrayContaining(named));
    expect(new Set(named).size, name).toBe(named.length);
  }
});

describe("64 connections for five seconds, on one thread", () => {
  test.for([
    ["wrk", "-t 1 -c 64 -d 5s http://127.0.0.1:1/hello"],
    ["ab", "-q -r -t 5 -n 5000000 -c 64 -k http://127.0.0.1:1/hello"],
    ["oha", "--no-tui --insecure -z 5s -c 64 http://127.0.0.1:1/hello"],
    ["h2load", "-D 5 -c 64 -m 1 --h1 http://127.0.0.1:1/hello"],
    ["autocannon", "--json --no-progress -c 64 -d 5 http://127.0.0.1:1/hello"],
    ["bearhug", "http://127.0.0.1:1/hello -c 64 -d 5s --quiet --workers 1 --insecure"],
  ] as const)("%s %s", ([id, options]) => {
    expect(invoke(id)).toEqual({ options, script: undefined });
  });
});

test("the bare tools run a script of this folder, with the load's numbers", () => {
  const shape = { connections: 4, streams: 16 };
  expect(invoke("sockets", shape).options).toMatch(
    /bench\/bare-socket\.ts http:\/\/127\.0\.0\.1:1\/hello 4 5$/,
  );
  expect(invoke("dispatch", shape).options).toMatch(
    /bench\/bare-undici\.ts dispatch http:\/\/127\.0\.0\.1:1\/hello 4 16 5$/,
  );
  expect(invoke("fetch", shape).options).toMatch(
    /bench\/bare-undici\.ts fetch http:\/\/127\.0\.0\.1:1\/hello 4 16 5$/,
  );
});

describe("a new connection for each request", () => {
  test.for([
    ["wrk", "-H Connection: close"],
    ["oha", "--disable-keepalive"],
    ["autocannon", "-D 1"],
  ] as const)("%s %s", ([id, option]) => {
    expect(invoke(id, { isReconnecting: true }).options).toContain(option);
  });

  test("ab without -k", () => {
    expect(invoke("ab", { isReconnecting: true }).options).not.toContain("-k");
  });

  test("k6 and bearhug by their options", () => {
    expect(invoke("k6", { isReconnecting: true }).script).toContain('"noConnectionReuse":true');
    expect(invoke("bearhug-script", { isReconnecting: true }).script).toContain('"connections":"perRequest"');
  });
});

describe("16 streams on each of 4 connections", () => {
  const shape = { protocol: "h2", connections: 4, streams: 16 } as const;

  test.for([
    ["oha", "-c 4 --http2 -p 16"],
    ["h2load", "-c 4 -m 16 http"],
  ] as const)("%s %s", ([id, options]) => {
    expect(invoke(id, shape).options).toContain(options);
  });

  test("are 4 virtual users of k6 with a batch of 16", () => {
    const { script } = invoke("k6", shape);
    expect(script).toContain('"vus":4');
    expect(script).toContain('"batchPerHost":16');
    expect(script?.match(/127\.0\.0\.1/g)).toHaveLength(16);
  });

  test("are 64 virtual users of bearhug that share 4 connections", () => {
    const { script } = invoke("bearhug-script", shape);
    expect(script).toContain("vus: 64");
    expect(script).toContain('{"connections":"shared","maxConnections":4,"maxConcurrentStreams":16}');
  });
});

test("k6 and bearhug request a page's assets together, and check the page", () => {
  const assetUrls = ["http://127.0.0.1:1/style.css", "http://127.0.0.1:1/app.js"];
  for (const id of ["k6", "bearhug-script"] as const) {
    const { script } = invoke(id, { assetUrls });
    expect(script).toContain('get("http://127.0.0.1:1/hello")');
    expect(script).toContain("status is 200");
    expect(script).toMatch(/http\.batch\(/);
    expect(script).toContain(JSON.stringify(assetUrls));
  }
});
