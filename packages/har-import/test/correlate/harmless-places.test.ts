import type { Extractor } from "@bearhug/sdk";
import { expect, test } from "vitest";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

const id = "b7e2a9c4-11d2-4f3a-9c55-aa20f1e3d7c1";

/** Returns how an imported test extracts a value that a response supplies and a later request sends. */
async function extractedFrom(mimeType: string, text: string): Promise<readonly Extractor[]> {
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/boot", {
      _resourceType: "xhr",
      response: { content: { size: text.length, mimeType, text } },
    }),
    entryOf(`https://shop.test/api/orders?ref=${id}`, {
      startedDateTime: "2026-01-01T00:00:01.000Z",
      _resourceType: "xhr",
    }),
  ]);
  return requestsOf(model).flatMap(({ extractions }) => extractions.map(({ from }) => from));
}

test("a value is extracted between texts that contain no other value", async () => {
  const [from] = await extractedFrom("text/plain", `var u = {"pw":"Mellon!","ref":"${id}"}`);
  expect(from).toEqual({ between: ['"ref":"', '"'] });
});

test("a value that could be located only by another value beside it is not extracted", async () => {
  const text = `var a={"pw":"Mellon!","ref":"${id}"},b={"pw":"Sun!","ref":"x"},c={"ref":"y"}`;
  expect(await extractedFrom("text/plain", text)).toEqual([]);
});

test("a JSON key that differs for each visitor is not used in an extractor's path", async () => {
  const sessions = { sess9Qx7: { ref: id } };
  expect(await extractedFrom("application/json", JSON.stringify({ sessions }))).toEqual([
    { between: ['"ref":"', '"'] },
  ]);
  const twice = { ref: "other", sessions };
  expect(await extractedFrom("application/json", JSON.stringify(twice))).toEqual([]);
  expect(
    await extractedFrom("application/json", JSON.stringify({ level2Item3: { address1: { ref: id } } })),
  ).toEqual([{ json: "level2Item3.address1.ref" }]);
});
