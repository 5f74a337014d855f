import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type CaptureModel, importCapture, redactHar } from "../../src/index.ts";
import { bytesOf, documentOf, entryOf, harOf, requestsOf } from "../har-file.ts";
import { captureAt, describeCaptures } from "../recorded-captures.ts";

/** Returns the requests and omissions of a model by entry index, with only the kinds of values. */
function outlineOf(model: CaptureModel): Record<string, unknown> {
  const kept = requestsOf(model).map((request) => [
    request.entryIndex,
    {
      address: `${request.method} ${request.origin}`,
      path: request.path.map(({ value }) =>
        value.map((part) => (part.kind === "text" ? part.text : part.kind)),
      ),
      parameters: request.query.map(({ name }) => name),
      body: request.body?.kind ?? null,
      redirectedTo: request.redirectedTo,
    },
  ]);
  const left = model.omissions.map(({ entryIndex, reason }) => [entryIndex, reason]);
  return Object.fromEntries([...kept, ...left]) as Record<string, unknown>;
}

function timesOf({ steps }: CaptureModel): unknown {
  return steps.map(({ recordedMs, thinkAfterMs, waves }) => [
    recordedMs,
    thinkAfterMs,
    waves.map(({ afterMs, requests }) => [afterMs, requests.map(({ entryIndex }) => entryIndex)]),
  ]);
}

async function redactedBytes(bytes: Uint8Array): Promise<Uint8Array> {
  let text = "";
  for await (const piece of redactHar(() => [bytes])) text += piece;
  return new TextEncoder().encode(text);
}

async function expectSameRequests(bytes: Uint8Array): Promise<void> {
  const redacted = await redactedBytes(bytes);
  const [original, again] = [await importCapture(() => [bytes]), await importCapture(() => [redacted])];
  expect(outlineOf(again.model)).toEqual(outlineOf(original.model));
  expect(timesOf(again.model)).toEqual(timesOf(original.model));
}

const folders = ["../fixtures/field/", "../pairs/golden/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const captures = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".har"))
    .map((name) => [name, folder + name] as const),
);

describe("a redacted capture is imported with the same requests", () => {
  test.each(captures)("%s", async (_name, path) => {
    await expectSameRequests(readFileSync(path));
  });
});

test("a redacted capture is imported with the same requests even if an address's user name is also a path", async () => {
  const [bytes = new Uint8Array()] = bytesOf(
    harOf([
      documentOf("https://administrator:sesame-1961@shop.test/"),
      entryOf("https://shop.test/administrator/notes?role=administrator"),
    ]),
  );
  await expectSameRequests(bytes);
  const redacted = new TextDecoder().decode(await redactedBytes(bytes));
  expect(redacted).not.toMatch(/sesame-1961|administrator:/);
});

describeCaptures("redacted captures", (names) => {
  test.for(names)("%s is imported with the same requests", async (name) => {
    await expectSameRequests(readFileSync(captureAt(name)));
  });
});
