import { expect, test } from "vitest";
import { noteMissingBodies } from "../../src/request/build-body.ts";
import { documentOf, entryOf, importEntries } from "../har-file.ts";
import { visitOf } from "./visit-of.ts";

const upload = { request: { method: "POST", bodySize: 5120 } };

test("bodies that were not recorded are counted in a sentence", async () => {
  const post = await visitOf("https://shop.test/files", upload);
  const page = await visitOf("https://shop.test/");
  expect(noteMissingBodies([page])).toEqual([]);
  expect(noteMissingBodies([page, post])).toEqual([
    "1 request body was not recorded, as is usual for uploads. Add it by hand.",
  ]);
  expect(noteMissingBodies([post, page, post])).toEqual([
    "2 request bodies were not recorded, as is usual for uploads. Add them by hand.",
  ]);
});

test("an import tells of them", async () => {
  const { notes } = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/files", upload),
  ]);
  expect(notes).toContainEqual(expect.stringMatching(/^1 request body was not recorded/));
});
