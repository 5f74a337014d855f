import { expect, test } from "vitest";
import { importField, sourceOfField } from "../field-capture.ts";
import { entryOf, importEntries, requestsOf } from "../har-file.ts";

const stream = { content: { size: 9, mimeType: "text/event-stream", text: "data: 1\n\n" } };

test("a POST with an event stream as its response is sent, and a comment says how it is read", async () => {
  const { model } = await importField("sse");
  expect(model.omissions).toEqual([]);
  expect(await sourceOfField("sse")).toMatch(
    /\/\/ the response is an event stream: it is read to its end,[^;]*await http\.post\("\/v1\/chat\/completions"/,
  );
});

test("an event stream that the page only listens to is omitted", async () => {
  const model = await importEntries([
    entryOf("https://shop.test/"),
    entryOf("https://shop.test/events", { response: stream }),
  ]);
  expect(requestsOf(model)).toHaveLength(1);
  expect(model.omissions).toMatchObject([{ entryIndex: 1, reason: "event stream" }]);
});
