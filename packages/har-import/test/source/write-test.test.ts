import { expect, test } from "vitest";

import type { CapturedRequest, CaptureModel, Extraction } from "../../src/capture-model.ts";
import { type TestOptions, writeTest } from "../../src/index.ts";
import type { FreshPart } from "../../src/value.ts";
import { atomOf, modelOf, requestOf, site, stepOf } from "./model-of.ts";

const token: Extraction = { name: "token", from: { json: "token" } };
const variable = { kind: "variable", name: "API_TOKEN" } as const;
const extracted = { kind: "extracted", name: "token" } as const;

async function write(model: CaptureModel, options: TestOptions = {}): Promise<string> {
  return (await writeTest({ model, redacted: [] }, options)).source;
}

/** Returns the lines inside the written page of these requests. */
async function writePage(...waves: readonly (readonly CapturedRequest[])[]): Promise<string> {
  const source = await write(modelOf([stepOf(waves)]));
  const [, inside = ""] = /await page\("home", async \(\) => \{\n(.*?)\n {8}\}\);\n/s.exec(source) ?? [];
  return inside.replaceAll(/^ {10}/gm, "");
}

test("a value is extracted from its response and passed to the pages that use it", async () => {
  const source = await write(
    modelOf([
      stepOf([[requestOf("/login", { extractions: [token] })]]),
      stepOf([[requestOf("/basket", { headers: [atomOf("authorization", "Bearer ", extracted)] })]], {
        name: "basket",
      }),
    ]),
  );
  expect(source).toContain('const { token } = await page("home", async () => {');
  expect(source).toContain('const token = extract(login, { json: "token" });');
  expect(source).toContain("return { token };");
  expect(source).toContain('await http.get("/basket", { auth: { bearer: token } })');
});

test("an unused extraction is not written", async () => {
  expect(await writePage([requestOf("/login", { extractions: [token] })])).toBe(
    'check(await http.get("/login"), statusIs(200));',
  );
});

test("names from a capture never shadow keywords, the context or each other", async () => {
  const names = ["page", "class", "class", "http", "Response", "env"];
  const extractions = names.map((name, index): Extraction => ({
    name: `${name} ${index}`.replace(/ \d/, index === 2 ? "!" : ""),
    from: { header: "x" },
  }));
  const source = await write(
    modelOf([
      stepOf([
        [requestOf("/page", { extractions })],
        [requestOf("/x", { query: extractions.map(({ name }) => atomOf("q", { kind: "extracted", name })) })],
      ]),
    ]),
  );
  const declared = [...source.matchAll(/const (\w+) = (?:extract|await)/g)].map(([, name]) => name);
  expect(new Set(declared).size).toBe(declared.length);
  expect(declared).not.toEqual(expect.arrayContaining(["page"]));
  expect(declared).not.toEqual(expect.arrayContaining(["class"]));
});

test("a request that outlasts its wave is started in its place and checked at the end of the page", async () => {
  const poll = requestOf("/poll", { outlasts: true });
  expect(await writePage([poll, requestOf("/a")], [requestOf("/b")])).toBe(
    [
      'const poll = http.get("/poll");',
      'check(await http.get("/a"), statusIs(200));',
      "",
      'check(await http.get("/b"), statusIs(200));',
      "",
      "check(await poll, statusIs(200));",
    ].join("\n"),
  );
});

test("a request that outlasts its wave is awaited if the page needs its response", async () => {
  const poll = requestOf("/poll", { outlasts: true, extractions: [token] });
  const page = await writePage([poll], [requestOf("/b", { query: [atomOf("t", extracted)] })]);
  expect(page).toContain('const poll = await http.get("/poll");');
  expect(page.indexOf("extract(")).toBeLessThan(page.indexOf("/b"));
});

test("in a large wave, requests that differ from the rest are started separately", async () => {
  const images = Array.from({ length: 6 }, (_, index) => requestOf(`/${index}.png`, { entryIndex: index }));
  const gone = requestOf("/gone.png", { recordedStatus: 404, entryIndex: 7 });
  const session = requestOf("/session", { extractions: [token], entryIndex: 8 });
  const use = requestOf("/use", { query: [atomOf("t", extracted)] });
  const page = await writePage([...images, gone, session], [use]);
  expect(page).toMatch(
    /^const gone = http\.get\("\/gone\.png", \{ expect: 404 \}\);\nconst session = http\.get\("\/session"\);\nfor/,
  );
  expect(page).toContain("check(await gone, statusIs(404));");
  expect(page).toContain(
    'const sessionResponse = await session;\ncheck(sessionResponse, statusIs(200));\nconst token = extract(sessionResponse, { json: "token" });',
  );
});

test("a response whose path has no word is a response, and a loop over others does not hide it", async () => {
  const use = requestOf("/use", { query: [atomOf("t", extracted)] });
  const images = Array.from({ length: 6 }, (_, index) => requestOf(`/${index}.png`, { entryIndex: index }));
  const created = await writePage([requestOf("/1/2", { extractions: [token] })], images, [use]);
  expect(created).toContain('const response = await http.get("/1/2");');
  expect(created).toContain('const token = extract(response, { json: "token" });');
  expect(created).toContain("for (const response2 of await http.batch([");
  const started = await writePage(
    [...images, requestOf("/7", { extractions: [token], entryIndex: 8 })],
    [use],
  );
  expect(started).toMatch(/^const request = http\.get\("\/7"\);\nfor \(const response2 of await/);
  expect(started).toContain("const response = await request;\ncheck(response, statusIs(200));");
});

test("a request without a recorded response is sent but not checked", async () => {
  expect(
    await writePage([requestOf("/a", { recordedStatus: null }), requestOf("/b", { recordedStatus: null })]),
  ).toBe('await http.batch(["/a", "/b"]);');
});

test("short pauses are added up until they are worth a line", async () => {
  const waves = [6, 6, 3].map((afterMs, index) => ({ afterMs, requests: [requestOf(`/${index}`)] }));
  const source = await write(modelOf([{ ...stepOf([]), waves }]));
  expect([...source.matchAll(/sleep\("(.*)"\)/g)].map(([, time]) => time)).toEqual(["12ms"]);
});

test("a secret is a variable, which is encoded in addresses", async () => {
  const request = requestOf("/x", {
    path: [atomOf("", "user-", variable), atomOf("", "a b")],
    query: [atomOf("key", variable), atomOf("", "flag")],
    headers: [atomOf("x-api-key", variable)],
  });
  expect((await writePage([request])).replaceAll(/\s+/g, " ")).toContain(
    '"/user-" + encodeURIComponent(env.API_TOKEN) + "/a%20b?key=" + encodeURIComponent(env.API_TOKEN) + "&flag"',
  );
});

test("variables are required and secret, and are listed with their descriptions", async () => {
  const model = modelOf([stepOf([[requestOf("/", { headers: [atomOf("x-api-key", variable)] })]])], {
    variables: [{ name: "API_TOKEN", description: 'The header "x-api-key" of\nGET /.', isOptional: false }],
  });
  const { source, envExample } = await writeTest({ model, redacted: [] });
  expect(source).toContain(
    "API_TOKEN: {\n      secret: true,\n      description: 'The header \"x-api-key\" of\\nGET /.',",
  );
  expect(envExample).toBe('# The header "x-api-key" of GET /.\nAPI_TOKEN=\n');
  expect(await write(model, { optionalVariables: true })).toContain('default: "",');
});

test("a value that the browser generated is generated where it is used, or once if it is shared", async () => {
  const fresh = (what: FreshPart["what"], id: string | null = null): FreshPart => ({
    kind: "fresh",
    what,
    id,
  });
  const fields: CapturedRequest["query"] = [
    atomOf("_", fresh("milliseconds")),
    atomOf("s", fresh("seconds")),
    atomOf("r", fresh("fraction")),
    atomOf("d", fresh("iso date")),
    atomOf("n", fresh({ digits: 3 })),
    atomOf("long", fresh({ digits: 20 })),
    atomOf("u", fresh("uuid", "visit id")),
    atomOf("v", "v-", fresh("milliseconds")),
  ];
  const request = requestOf("/a", { query: fields, headers: [atomOf("x-visit", fresh("uuid", "visit id"))] });
  const source = await write(modelOf([stepOf([[request]])]));
  expect(source).toContain("const visitId = random.uuid();\n");
  for (const code of [
    "_: Date.now(),",
    "s: Math.floor(Date.now() / 1000),",
    "r: random(),",
    "d: new Date().toISOString(),",
    "n: random.integer(100, 999),",
    "u: visitId,",
    'v: "v-" + String(Date.now()),',
    '"x-visit": visitId',
  ]) {
    expect(source).toContain(code);
  }
  expect(source).toMatch(
    /String\(random\.integer\(100000000000000, 999999999999999\)\) \+\s+String\(random\.integer\(10000, 99999\)\)/,
  );
});

test("a cookie that a script repeats is read from the visitor's cookies", async () => {
  const headers = [
    atomOf("x-csrf", { kind: "cookie", name: "csrf", origin: site }),
    atomOf("x-other", { kind: "cookie", name: "b", origin: "https://api.shop.test" }),
  ];
  const page = await writePage([requestOf("/a", { headers })]);
  expect(page).toContain('"x-csrf": http.cookies.get("csrf") ?? "",');
  expect(page).toContain('"x-other": http.cookies.get("b", "https://api.shop.test") ?? "",');
});

test("a cookie with an optional variable is set only if the variable is", async () => {
  const variables = [{ name: "COOKIE_THEME", description: "The cookie.", isOptional: true }];
  const theme = { kind: "variable", name: "COOKIE_THEME" } as const;
  const cookies = [
    { name: "theme", origin: site, value: [theme] },
    { name: "both", origin: site, value: [{ kind: "text", text: "a-" } as const, theme, variable] },
  ];
  const model = modelOf([stepOf([[requestOf("/")]])], { cookies, variables });
  const { source, envExample } = await writeTest({ model, redacted: [] });
  expect(source).toContain("COOKIE_THEME: { secret: true, optional: true,");
  expect(source.replaceAll(/\s+/g, " ")).toContain(
    'if (env.COOKIE_THEME) http.cookies.set("theme", env.COOKIE_THEME); ' +
      'if (env.COOKIE_THEME) http.cookies.set("both", "a-" + env.COOKIE_THEME + env.API_TOKEN);',
  );
  expect(envExample).toBe("# The cookie. Optional.\nCOOKIE_THEME=\n");
  expect(await write(model, { optionalVariables: true })).not.toContain("default:");
});

test("cookies from before the recording are set at the start", async () => {
  const cookies = [
    { name: "theme", origin: site, value: [{ kind: "text", text: "dark" } as const] },
    { name: "__Host-id", origin: "https://api.shop.test", value: [variable] },
  ];
  const source = await write(modelOf([stepOf([[requestOf("/")]])], { cookies }));
  expect(source).toContain('http.cookies.set("theme", "dark");');
  expect(source).toMatch(
    /http\.cookies\.set\("__Host-id", env\.API_TOKEN, \{\s+url: "https:\/\/api\.shop\.test",\s+secure: true,\s+\}\);/,
  );
});

test("each iteration takes the next rows of data from a file beside the test", async () => {
  const column = (row: number) => ({ kind: "column", table: "products", column: "product id", row }) as const;
  const model = modelOf(
    [0, 1].map((row) =>
      stepOf([[requestOf("/", { path: [atomOf("", column(row))] })]], { name: `step ${row}` }),
    ),
    {
      tables: [
        {
          name: "products",
          columns: ["product id", "__proto__"],
          rows: [
            ["tea\u2028pot", "1"],
            ["kettle", "2"],
          ],
        },
      ],
    },
  );
  const { source, dataFiles } = await writeTest({ model, redacted: [] });
  expect(source).toContain('import products from "./data/products.json" with { type: "json" };');
  expect(source).toContain("const product = rowOf(products, iteration.index);");
  expect(source).toContain("const product2 = rowOf(products, iteration.index + 1);");
  expect(source).toContain("encodeURIComponent(product2.productId)");
  const [{ name, text } = { name: "", text: "" }] = dataFiles;
  expect(name).toBe("data/products.json");
  expect(text).toContain("tea\\u2028pot");
  expect(JSON.parse(text)).toEqual([
    { productId: "tea\u2028pot", proto: "1" },
    { productId: "kettle", proto: "2" },
  ]);
});

test("numbers in a JSON body stay numbers, even if they are extracted from a response", async () => {
  const number = (...value: Parameters<typeof atomOf>) =>
    ({ kind: "number", atom: atomOf(...value) }) as const;
  const root = {
    kind: "object",
    fields: [
      ["id", number("id", extracted)],
      ["count", number("count", "2")],
    ],
  } as const;
  const body = { kind: "json", root, written: '{"id":7,"count":2}' } as const;
  const page = await writePage(
    [requestOf("/a", { extractions: [token] })],
    [requestOf("/b", { method: "POST", body, headers: [atomOf("content-type", "application/json")] })],
  );
  expect(page).toContain("json: { id: Number(token), count: 2 },");
});

test("no recorded text is left of a JSON body that was changed", async () => {
  const root = {
    kind: "object",
    fields: [["mail", { kind: "string", atom: atomOf("mail", "user@example.com") }]],
  } as const;
  const body = { kind: "json", root, written: '{ "mail": "ada@shop.test" }' } as const;
  const page = await writePage([requestOf("/a", { method: "POST", body })]);
  expect(page).toContain('json: { mail: "user@example.com" }');
  expect(page).not.toContain("ada");
});

test("a hint is a comment of plain words above its request", async () => {
  const hints = ["The 17 in the path may be `items[1].id` of */ GET /list\u2028alert(1)"];
  const source = await write(modelOf([stepOf([[requestOf("/17", { hints })]])], { notes: ["A note."] }));
  expect(source).toContain("// The 17 in the path may be items 1 .id of / GET /list alert1");
  expect(source).toMatch(/Edit freely\.\n\/\/ A note\.\nimport/);
});

test("more connections than a browser's six are configured, with a comment that gives the reason", async () => {
  const source = await write(modelOf([stepOf([[requestOf("/")]])], { connections: 14 }));
  expect(source).toMatch(
    /http: \{\s+\/\/ The recording shows this many requests .*(\s+\/\/ .*)+\s+maxConnections: 14,\s+\}/,
  );
  expect(await write(modelOf([stepOf([[requestOf("/")]])]))).not.toContain("maxConnections");
});

test("keys that equal their literal value stay keys", async () => {
  const written = '{"null":null,"true":true,"false":false}';
  const fields = [
    ["null", { kind: "literal", value: null }],
    ["true", { kind: "literal", value: true }],
    ["false", { kind: "literal", value: false }],
  ] as const;
  const body = { kind: "json", root: { kind: "object", fields }, written } as const;
  expect(await writePage([requestOf("/a", { method: "POST", body })])).toContain(
    "json: { null: null, true: true, false: false }",
  );
});
