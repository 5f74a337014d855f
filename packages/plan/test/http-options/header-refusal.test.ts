import { describe, expect, test } from "vitest";

import { requestHeaderProblem } from "../../src/http-options/headers.ts";

describe("a header of one request", () => {
  test.each([
    ["accept", "upgrade"],
    ["connection", "close"],
    ["connection", " Keep-Alive , close "],
  ])("%s: %s may be given", (name, value) => {
    expect(requestHeaderProblem(name, value)).toBeUndefined();
  });

  test.each([
    ["transfer-encoding", "chunked", "bearhug sets it"],
    ["upgrade", "websocket", "changing the protocol"],
    ["expect", "100-continue", "bodies are sent at once"],
    ["connection", "keep-alive, Upgrade", "changing the protocol (WebSocket)"],
    ["connection", "close, x-hop", "may be close or keep-alive."],
  ])("%s: %s is refused, because …%s", (name, value, reason) => {
    expect(requestHeaderProblem(name, value)).toContain(reason);
  });
});
