import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { type ScannedItem, scanCapture } from "../../src/read/scan-capture.ts";

const encoder = new TextEncoder();

async function scan(text: string, bodies = true): Promise<ScannedItem[]> {
  return await scanPieces([encoder.encode(text)], bodies);
}

async function scanPieces(pieces: Iterable<Uint8Array>, bodies = true): Promise<ScannedItem[]> {
  const items: ScannedItem[] = [];
  for await (const item of scanCapture(pieces, { bodies })) items.push(item);
  return items;
}

/** Returns the JSON of each entry, or the problem of each finding, in file order. */
function entriesOf(items: readonly ScannedItem[]): unknown[] {
  return items.flatMap((item) => {
    if (item.kind === "entry") return [item.json];
    return item.kind === "finding" ? [`${item.finding.path} ${item.finding.problem}`] : [];
  });
}

const invalidEntry = (index: number): string => `$.log.entries[${index}] is not valid JSON; skipped`;

test("members of log, pages and entries are returned in file order, whatever it is", async () => {
  const items = await scan(
    '{"first":[{}],"log":{"creator":{"name":"x"},"entries":[{"a":1},2],"comment":null,"pages":[{"id":"p"}],"_own":[1]}}',
  );
  expect(items).toEqual([
    { kind: "member", name: "creator", json: { name: "x" } },
    { kind: "entry", index: 0, json: { a: 1 } },
    { kind: "entry", index: 1, json: 2 },
    { kind: "member", name: "comment", json: null },
    { kind: "page", index: 0, json: { id: "p" } },
    { kind: "member", name: "_own", json: [1] },
  ]);
});

test.each([
  ["escaped keys", String.raw`{"\u006cog":{"entrie\u0073":[{"a":1}]}}`],
  [
    "lists named entries elsewhere",
    '{"entries":[7],"x":{"log":{"entries":[8]}},"log":{"entries":[{"a":1}]}}',
  ],
  ["a log without entries before the real one", '{"log":{"pages":[]},"log":{"entries":[{"a":1}]}}'],
  ["two lists", '{"log":{"entries":[],"entries":[{"a":1}]}}'],
  ["brackets and quotes in strings", String.raw`{"a\"]}":"}]\\","log":{"b":"[{\\\"","entries":[{"a":1}]}}`],
  ["whitespace everywhere", ' { "log" :\n{ "entries"\t: [ { "a" : 1 } ] } } '],
  ["scalars as members", '{"log":{"a":1,"b":true,"c":null,"d":-1.5e3,"entries":[{"a":1}]}}'],
])("a file with %s is read", async (_what, text) => {
  expect(entriesOf(await scan(text)).filter((entry) => typeof entry === "object")).toEqual([{ a: 1 }]);
});

test.each([
  ["NaN", '{"time":NaN}'],
  ["a trailing comma", '{"time":1,}'],
  ["a bad escape", String.raw`{"url":"\x41"}`],
  ["a line break in a string", '{"url":"a\nb"}'],
  ["a key without quotes", "{time:1}"],
  ["no value", '{"time":}'],
  ["two commas", '{"list":[1,,2]}'],
  ["a missing quote", '{"url":"https://shop.example/a,"method":"GET","b":"c"}'],
  ["an extra quote", '{"url":"https://shop.example/a"","method":"GET"}'],
  ["an escaped closing quote", String.raw`{"path":"C:\","method":"https://x/"}`],
  ["a missing bracket", '{"request":{"url":"a","headers":[{"name":"b"}}'],
  ["its own closing bracket missing", '{"request":{"url":"a"}'],
  ["the wrong bracket", '{"request":{"url":"a"]}'],
  ["single quotes", "{'url':'https://x/'}"],
  ["a comment", '{"url":1 /* "here" */}'],
  ["HTML", '<p class="a">]</p>'],
])("an entry with %s is skipped, and the others are read", async (_what, broken) => {
  const good = ['{"startedDateTime":"1"}', '{"pageref":"2"}', '{"_connectionId":"3","a":[{"b":"}]"}]}'];
  const [before, ...after] = good;
  const items = await scan(
    `{"log":{"entries":[${[before, broken, ...after].join(" ,\n")}],"pages":[{"id":1}]}}`,
  );
  expect(entriesOf(items)).toEqual([
    JSON.parse(before!),
    invalidEntry(1),
    ...after.map((text) => JSON.parse(text) as unknown),
  ]);
  expect(items.at(-1)).toEqual({ kind: "page", index: 0, json: { id: 1 } });
});

test("an extra bracket between entries does not affect them", async () => {
  expect(entriesOf(await scan('{"log":{"entries":[{"a":1}},{"request":2}]}}'))).toEqual([
    { a: 1 },
    "$.log.entries has invalid JSON between two elements; skipped",
    { request: 2 },
  ]);
});

test("a body that is not valid JSON is skipped, and its entry is kept", async () => {
  const entry = String.raw`{"request":{"url":"a"},"response":{"content":{"text":"\x"}}}`;
  expect(entriesOf(await scan(`{"log":{"entries":[${entry}]}}`))).toEqual([
    "$.log.entries[0].response.content.text is not valid JSON; body skipped",
    { request: { url: "a" }, response: { content: { text: null } } },
  ]);
});

test("a broken page or member does not affect entries", async () => {
  for (const broken of [
    '"pages":[{"id":"p",{"q":1}],',
    '"creator":{"name":"x"],',
    '"comment":"a"b",',
    '"x":/,',
  ]) {
    const items = await scan(`{"log":{${broken}"entries":[{"a":1},{"b":2}]}}`);
    expect(items.filter(({ kind }) => kind === "finding")).toHaveLength(1);
    expect(items.flatMap((item) => (item.kind === "entry" ? [item.json] : []))).toEqual([{ a: 1 }, { b: 2 }]);
  }
});

test("a missing or extra comma between entries is ignored", async () => {
  expect(entriesOf(await scan('{"log":{"entries":[,{"a":1} {"b":2},,{"c":3},]}}'))).toEqual([
    { a: 1 },
    { b: 2 },
    { c: 3 },
  ]);
});

test("data after the end of the capture is reported, except the end of a function call", async () => {
  const har = '{"log":{"entries":[{"a":1}]}}';
  expect(entriesOf(await scan(`call(${har}) ;\n`))).toEqual([{ a: 1 }]);
  expect(entriesOf(await scan(`${har}${har}`))).toEqual([
    { a: 1 },
    "$ has extra data after the end of the capture; ignored",
  ]);
});

test("a finding's path includes a key of the file only if it is a plain word", async () => {
  const [finding] = await scan('{"log":{"\\u001b[31m":NaN,"entries":[{}]}}');
  expect(finding).toEqual({
    kind: "finding",
    finding: { path: "$.log", problem: "is not valid JSON; skipped" },
  });
});

/** Text inserted into an entry to break its JSON, or nothing. */
const anyDamage = fc.constantFrom(
  "",
  "",
  "",
  "%",
  "}",
  "]",
  '"',
  "{",
  ",",
  "\\",
  "NaN",
  ',{"pageref":1}',
  "\u{1f43b}",
  "[",
);
const anyEntry = fc
  .record({
    pageref: fc.string(),
    response: fc.record({ content: fc.record({ text: fc.string({ unit: anyCharacter }) }) }),
    list: fc.array(fc.jsonValue({ maxDepth: 2 })),
  })
  .chain((entry) => {
    const text = JSON.stringify(entry);
    return fc
      .tuple(fc.nat(text.length), anyDamage)
      .map(([at, damage]) => text.slice(0, at) + damage + text.slice(at));
  });
const anyFile = fc
  .tuple(fc.array(anyEntry, { maxLength: 4 }), fc.option(fc.nat(400)))
  .map(([entries, cut]) =>
    `{"log":{"pages":[{"id":1}],"entries":[${entries.join(",")}],"x":{}}}`.slice(0, cut ?? undefined),
  );

test("the result is the same wherever the bytes are split into chunks", async () => {
  const outcome = async (pieces: Iterable<Uint8Array>, bodies: boolean): Promise<unknown> =>
    await scanPieces(pieces, bodies).catch((error: unknown) => String(error));
  const property = fc.asyncProperty(
    anyFile,
    fc.array(fc.nat(600), { maxLength: 12 }),
    fc.boolean(),
    async (file, cuts, bodies) => {
      const bytes = encoder.encode(file);
      const places = [0, ...cuts.sort((left, right) => left - right), bytes.length];
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const whole = await outcome([bytes], bodies);
      expect(await outcome(pieces, bodies)).toEqual(whole);
      expect(
        await outcome(
          [...bytes].map((byte) => Uint8Array.of(byte)),
          bodies,
        ),
      ).toEqual(whole);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

test("entries of valid JSON are read exactly as by JSON.parse", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.jsonValue(), { minLength: 1 }),
    fc.boolean(),
    async (entries, pretty) => {
      const text = JSON.stringify({ log: { entries } }, null, pretty ? 2 : 0);
      expect(entriesOf(await scan(text))).toEqual(
        (JSON.parse(text) as { log: { entries: unknown[] } }).log.entries,
      );
    },
  );
  await fc.assert(property);
});
