import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readFeeds } from "@bearhug/plan/feeds/read-feeds";
import { csv, json, ndjson, rows, type FeedDeclaration } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { hashTest } from "../../src/run/hash-test.ts";
import { constantVus, plan, testOf } from "../../../plan/test/test-file/tests-for-plans.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-hash-"));

async function hashOf(text: string | Uint8Array, feed: FeedDeclaration): Promise<string> {
  writeFileSync(join(folder, "file"), text);
  const { feeds, problems } = await readFeeds({ users: feed }, folder);
  expect(problems).toEqual([]);
  const planned = plan(testOf([constantVus("visits")]));
  return hashTest("code", { plan: planned.plan, thresholds: [] }, feeds);
}

describe.each([
  { what: "CSV", feed: csv("file"), lines: ["id,note", '1,"a"', "2,b", ""] },
  { what: "NDJSON", feed: ndjson("file"), lines: ['{"id":1}', '{"id":2}', ""] },
  { what: "JSON", feed: json("file"), lines: ["[", '{"id":1},', '{"id":2}', "]"] },
])("shards with the same $what", ({ feed, lines }) => {
  test("agree that they run the same test, however their line endings and encodings differ", async () => {
    const hash = await hashOf(lines.join("\n"), feed);
    expect(await hashOf(lines.join("\r\n"), feed)).toBe(hash);
    expect(await hashOf(`\uFEFF${lines.join("\n")}`, feed)).toBe(hash);
    expect(await hashOf(Buffer.from(`\uFEFF${lines.join("\n")}`, "utf16le"), feed)).toBe(hash);
  });

  test("disagree if a row differs", async () => {
    const hash = await hashOf(lines.join("\n"), feed);
    expect(await hashOf(lines.join("\n").replace("2", "3"), feed)).not.toBe(hash);
  });
});

test("shards also disagree if rows in the code differ", async () => {
  expect(await hashOf("", rows([1]))).not.toBe(await hashOf("", rows([2])));
});
