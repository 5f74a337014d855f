import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";

import { readFeeds, type ReadFeeds } from "@bearhug/plan/feeds/read-feeds";
import { csv, json, ndjson, rows, type FeedDeclaration, type RowSchema } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { openFeeds } from "../../src/worker/open-feeds.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-feeds-"));

/** Returns the rows of a feed as a thread sees them that received its bytes. */
async function opened(feed: FeedDeclaration): Promise<readonly unknown[]> {
  const { feeds, problems } = await readFeeds({ users: feed }, folder);
  expect(problems).toEqual([]);
  return openFeeds(structuredClone(feeds))["users"] ?? [];
}

async function readText(text: string | Uint8Array, feed: FeedDeclaration): Promise<ReadFeeds> {
  writeFileSync(join(folder, "file"), text);
  return readFeeds({ users: feed }, folder);
}

interface User {
  readonly id: string;
  readonly note: string;
}

const count = 2000;
/** More rows than a thread keeps parsed. */
const users: readonly User[] = Array.from({ length: count }, (_, index) => ({
  id: String(index),
  note: `${"long ".repeat(120)}\nž "${index}"`,
}));
writeFileSync(
  join(folder, "users.csv"),
  `id,note\n${users.map(({ id, note }) => `${id},"${note.replaceAll('"', '""')}"\n`).join("")}`,
);
writeFileSync(join(folder, "users.json"), JSON.stringify(users, null, 1));
writeFileSync(join(folder, "users.ndjson"), users.map((user) => JSON.stringify(user)).join("\n"));

const swapped: RowSchema<{ readonly user: User; readonly at: Date }> = {
  "~standard": {
    version: 1,
    vendor: "own",
    validate: (row) => ({ value: { user: row as User, at: new Date(0) } }),
  },
};

describe.each([
  { what: "CSV", feed: csv("users.csv"), expected: users },
  { what: "JSON", feed: json("users.json"), expected: users },
  { what: "NDJSON", feed: ndjson("users.ndjson"), expected: users },
  {
    what: "CSV with a schema that converts",
    feed: csv("users.csv", { schema: swapped }),
    expected: users.map((user) => ({ user, at: new Date(0) })),
  },
])("the rows of a large file of $what", ({ feed, expected }) => {
  test("are those of the file, in any order, with any method of an array", async () => {
    const list = await opened(feed);
    expect(Array.isArray(list)).toBe(true);
    expect(list).toHaveLength(count);
    for (const index of [0, count - 1, 7, 1234, 7]) expect(list[index]).toEqual(expected[index]);
    expect(list[count]).toBeUndefined();
    expect(list[-1]).toBeUndefined();
    expect(list.at(-1)).toEqual(expected.at(-1));
    expect([...list]).toEqual(expected);
    expect(list.map((row, index) => [row, index]).slice(99, 101)).toEqual([
      [expected[99], 99],
      [expected[100], 100],
    ]);
    expect(list.findIndex((row) => JSON.stringify(row) === JSON.stringify(expected[432]))).toBe(432);
    expect(list.filter((_, index) => index % 500 === 0)).toHaveLength(4);
    expect(4 in list).toBe(true);
    expect(count in list).toBe(false);
    expect(Object.keys(list)).toHaveLength(count);
    expect(JSON.stringify(list)).toBe(JSON.stringify(expected));
    expect(inspect(list)).toBe(inspect(expected));
  });

  test("cannot be changed", async () => {
    const list = (await opened(feed)) as unknown[];
    expect(() => list.push(1)).toThrow(TypeError);
    expect(() => (list[0] = 1)).toThrow(TypeError);
    expect(() => list.sort()).toThrow(TypeError);
    expect(() => (list.length = 0)).toThrow(TypeError);
    expect(Reflect.deleteProperty(list, 0)).toBe(false);
    expect(Object.isFrozen(list[0])).toBe(true);
    expect(list[0]).toEqual(expected[0]);
  });
});

test("threads share the bytes of a file: none has a copy", async () => {
  const { feeds } = await readFeeds({ users: csv("users.csv") }, folder);
  const sent = structuredClone(feeds);
  sent.byName["users"]?.bytes.set(Buffer.from("9"), "id,note\n".length);
  expect(openFeeds(feeds)["users"]?.[0]).toMatchObject({ id: "9" });
});

describe("names of columns", () => {
  test.each([
    {
      what: "a list",
      feed: rows([
        { name: "ada", mail: "a@b.c" },
        { name: "bob", age: 7 },
      ]),
    },
    { what: "NDJSON", feed: ndjson("few.ndjson") },
  ])("are refused if no row of $what has them, and are undefined in rows without them", async ({ feed }) => {
    writeFileSync(join(folder, "few.ndjson"), '{"name":"ada","mail":"a@b.c"}\n{"name":"bob","age":7}\n');
    const list = (await opened(feed)) as Record<string, unknown>[];
    expect(list[0]?.["name"]).toBe("ada");
    expect(list[0]?.["age"]).toBeUndefined();
    expect(() => list[1]?.["nmae"]).toThrow("feeds.users.nmae: no row has such a column. Did you mean name?");
    expect(JSON.stringify(list)).toBe('[{"name":"ada","mail":"a@b.c"},{"name":"bob","age":7}]');
    expect(Object.isFrozen(list)).toBe(true);
  });

  test("of a large CSV are known without reading it", async () => {
    const list = (await opened(csv("users.csv"))) as Record<string, unknown>[];
    expect(() => list[1]?.["nots"]).toThrow("feeds.users.nots: no row has such a column. Did you mean note?");
  });

  test("are not checked in rows that are not plain objects", async () => {
    const [list, number, none, date] = await opened(rows([["a"], 1, null, new Date(0)]));
    expect(Object.getPrototypeOf(list)).toBe(Array.prototype);
    expect([number, none, date]).toEqual([1, null, new Date(0)]);
  });
});

describe("a file", () => {
  const text = "name,note\nZoë,ž €\n";
  const utf16 = Buffer.from(text, "utf16le");
  const bigEndian = Buffer.from(utf16).swap16();

  test.each([
    { what: "UTF-8", bytes: Buffer.from(text) },
    { what: "UTF-8 with a byte order mark", bytes: Buffer.from(`\uFEFF${text}`) },
    { what: "UTF-16, as PowerShell writes it", bytes: Buffer.concat([Buffer.of(0xff, 0xfe), utf16]) },
    { what: "UTF-16 without a mark", bytes: utf16 },
    { what: "big-endian UTF-16", bytes: Buffer.concat([Buffer.of(0xfe, 0xff), bigEndian]) },
  ])("in $what is read", async ({ bytes }) => {
    writeFileSync(join(folder, "encoded.csv"), bytes);
    expect(await opened(csv("encoded.csv"))).toEqual([{ name: "Zoë", note: "ž €" }]);
  });

  test.each([
    { what: "Latin-1", bytes: Buffer.from(text, "latin1") },
    {
      what: "half a character of UTF-16",
      bytes: Buffer.concat([Buffer.of(0xff, 0xfe), utf16.subarray(0, -1)]),
    },
  ])("in $what is refused", async ({ bytes }) => {
    const { problems } = await readText(bytes, csv("file"));
    expect(problems).toEqual([expect.stringMatching(/^feeds\.users, .*file: this is not UTF-8\./) as string]);
  });

  test.each([
    [
      "an Excel workbook",
      Buffer.from("PK\x03\x04\xff", "latin1"),
      "this is an Excel workbook or another archive.",
    ],
    ["gzip", gzipSync(text), "this is compressed. Unpack it with gunzip."],
  ])("that is %s is named", async (_, bytes, sentence) => {
    const { problems } = await readText(bytes, csv("file"));
    expect(problems).toEqual([expect.stringContaining(sentence) as string]);
  });

  test("is searched for secrets, and is marked if rows may hold others", async () => {
    const line = (index: number): string => `user ${index},pw-${index}-Zq7w9x4K`;
    const text1 = ["name,password", ...Array.from({ length: 5000 }, (_, index) => line(index))].join("\n");
    const few = await readText(text1, csv("file"));
    expect(few.feeds.secrets).toHaveLength(5000);
    expect(few.feeds.hasAllSecrets).toBe(true);
    const many = await readText(`password\n${"pw-Zq7w9x4K\n".repeat(60_000)}`, csv("file"));
    expect(many.feeds).toMatchObject({ secrets: ["pw-Zq7w9x4K"], hasAllSecrets: false });
    const plain = await readText(`name\n${"pw-Zq7w9x4K\n".repeat(60_000)}`, csv("file"));
    expect(plain.feeds).toMatchObject({ secrets: [], hasAllSecrets: true });
  });
});
