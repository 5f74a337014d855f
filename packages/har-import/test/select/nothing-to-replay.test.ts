import { expect, test } from "vitest";

import { entryOf, importEntries } from "../har-file.ts";

test("a capture with nothing to replay is rejected with the reasons and the number of requests for each", async () => {
  const entries = [
    entryOf("/relative.png"),
    entryOf("XML"),
    entryOf("https://shop.test/live", { _resourceType: "websocket" }),
  ];
  await expect(importEntries(entries)).rejects.toThrow(
    "The capture has nothing to replay. Skipped: 2 requests (invalid URL), 1 request (WebSocket).",
  );
});

test("a capture without a readable entry is rejected with the first problem", async () => {
  const entries = [entryOf("data:text/css,body", { request: { method: "" } })];
  await expect(importEntries(entries)).rejects.toThrow(
    "The capture has nothing to replay: no entry could be read. $.log.entries[0].request.method: is missing or invalid; entry skipped.",
  );
});
