import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { runForResult, runBearhug, temporaryFolder, type Reported } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Runs a test in a folder with files. Returns also how often the server saw each request. */
async function runWithFeeds(
  files: Readonly<Record<string, string>>,
  definition: string,
  flags: readonly string[] = [],
): Promise<Reported & { readonly served: ReadonlyMap<string, number> }> {
  const server = await startServer();
  const file = writeTestWith(files, `baseUrl: "${server.url}", ${definition}`);
  return { ...(await runForResult(["run", file, ...flags])), served: server.counts };
}

function writeTestWith(files: Readonly<Record<string, string>>, definition: string): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const file = join(folder, "your-test.ts");
  writeFileSync(
    file,
    `import { csv, defineTest, json, ndjson, rows } from "@bearhug/sdk";
export default defineTest({ ${definition} });\n`,
  );
  return file;
}

/** Returns the problems of a test that is refused before it starts. */
async function refusalOf(files: Readonly<Record<string, string>>, definition: string): Promise<string> {
  const server = await startServer();
  const { exitCode, stderr } = await runBearhug([
    "run",
    writeTestWith(files, `baseUrl: "${server.url}", ${definition}`),
  ]);
  expect(exitCode, stderr).toBe(104);
  expect(server.total()).toBe(0);
  return stderr;
}

const visit = 'exec: ({ http, feeds }) => http.get("/" + feeds.users.next().name, { name: "visit" })';

describe("a feed of 500 rows, used once each", () => {
  const count = 500;
  const files = {
    "data/users.csv": `name,password\n${Array.from({ length: count }, (_, row) => `user-${row},"a,b"\n`).join("")}`,
  };
  const scenario = `scenarios: { logins: { executor: "shared-iterations", vus: 30, iterations: ${count},
    exec: ({ http, feeds, iteration }) => http.get(\`/\${iteration.index}/\${feeds.users.next().name}\`, { name: "visit" }) } }`;

  /** Returns the row that the server saw in each iteration. */
  async function rowsOf(order: string, workers: number, seed: number): Promise<number[]> {
    const feeds = `feeds: { users: csv("data/users.csv", { unique: true, order: "${order}" }) }`;
    const flags = ["--workers", String(workers), "--seed", String(seed)];
    const { exitCode, stdout, served } = await runWithFeeds(files, `${feeds}, ${scenario}`, flags);
    expect(exitCode, stdout).toBe(0);
    expect(new Set(served.values())).toEqual(new Set([1]));
    const pairs = [...served.keys()].map((line) => /^GET \/(\d+)\/user-(\d+)$/.exec(line) ?? []);
    return pairs
      .toSorted(([, one], [, other]) => Number(one) - Number(other))
      .map(([, , row]) => Number(row));
  }

  const inOrder = Array.from({ length: count }, (_, row) => row);

  test("gives the n-th row to the n-th iteration in the file's order, with 3 workers", async () => {
    expect(await rowsOf("sequential", 3, 1)).toEqual(inOrder);
  });

  test("gives each iteration the same shuffled row for the same seed, with 1 and 3 workers", async () => {
    const first = await rowsOf("shuffled", 3, 7);
    expect(first).not.toEqual(inOrder);
    expect(first.toSorted((one, other) => one - other)).toEqual(inOrder);
    expect(await rowsOf("shuffled", 3, 7)).toEqual(first);
    expect(await rowsOf("shuffled", 1, 7)).toEqual(first);
    expect(await rowsOf("shuffled", 3, 8)).not.toEqual(first);
  });
});

test("random rows are the same for the same seed, with 1 and 3 workers", async () => {
  const users = JSON.stringify(Array.from({ length: 1000 }, (_, index) => ({ name: `user-${index}` })));
  const scenario = `scenarios: { logins: { executor: "per-vu-iterations", vus: 10, iterations: 50, ${visit} } }`;
  const run = async (workers: number, seed: number) => {
    const definition = `feeds: { users: json("users.json", { order: "random" }) }, ${scenario}`;
    const flags = ["--workers", String(workers), "--seed", String(seed)];
    const { served } = await runWithFeeds({ "users.json": users }, definition, flags);
    return [...served].map(([line, times]) => `${line} ${times}`).toSorted();
  };
  const first = await run(1, 7);
  expect(await run(3, 7)).toEqual(first);
  expect(await run(3, 8)).not.toEqual(first);
});

describe("feeds that cannot be used are refused before anything is sent", () => {
  const logins = (more: string): string => `scenarios: { logins: { ${more}, ${visit} } }`;

  test("with file and line of every bad row, and everything else that is wrong", async () => {
    const files = {
      "users.csv": 'name,password\nann,1\nbob\n\ncem,3,4\n"dan,5\n',
      "ids.ndjson": '{"id":1}\n{"id":}\n',
      "orders.json": '[{"id":1},\n{"id" 2}]',
      "tokens.json": '[{"id":1},\n{"id":}]',
      "old.json": '[\n{"id":1},\n{"id":\n3}]',
      "semicolons.csv": "name;password\nann;1\n",
      "goods.json": '{"goods":[]}',
      "empty.csv": "name,password\n",
      "typo.csv": "nmae,name,name\n1,2,3\n",
    };
    const schema = `{ "~standard": { version: 1, vendor: "own", validate: (row) => row.id === 1
      ? { value: row } : { issues: [{ message: "must be 1", path: ["id"] }] } } }`;
    const feeds = `feeds: {
      users: csv("users.csv"), ids: ndjson("ids.ndjson"), orders: json("orders.json"), goods: json("goods.json"),
      tokens: json("tokens.json"), old: json("old.json", { schema: ${schema} }),
      semicolons: csv("semicolons.csv"), slow: csv("users.csv", { order: "slow" }),
      empty: csv("empty.csv"), nothing: [], typo: csv("typo.csv", { columns: ["name", "password"] }), none: csv("none.csv"),
      judged: rows([{ id: 1 }, { id: 2 }], { schema: ${schema} }),
    }`;
    const refusal = await refusalOf(
      files,
      `${feeds}, ${logins('executor: "constant-vus", vus: 0, duration: "1s"')}`,
    );
    const expected = [
      /scenarios\.logins\.vus must be 1 or more, but is 0 \(.*your-test\.ts:\d+:\d+\)\./,
      /feeds\.users, .*users\.csv:3: the row has 1 field, but there are 2 columns\./,
      /feeds\.users, .*users\.csv:5: the row has 3 fields, but there are 2 columns\./,
      /feeds\.users, .*users\.csv:6: a quoted field begins here and does not end: a closing quote is missing\./,
      /feeds\.ids, .*ids\.ndjson:2: this is not JSON: Unexpected token '}'\./,
      /feeds\.orders, .*orders\.json:2: this is not JSON: Expected ':' after property name\./,
      /feeds\.slow\.order must be one of "sequential"/,
      /feeds\.tokens, .*tokens\.json:2: this is not JSON: Unexpected token '}'\./,
      /feeds\.old, .*old\.json:3, row 2: id: must be 1/,
      /feeds\.semicolons, .*semicolons\.csv:1: the header line is one column, "name;password"\. If its fields are separated by ";", set delimiter: ";"\./,
      /feeds\.goods, .*goods\.json: the file must contain an array of rows: \[ … \]\./,
      /feeds\.empty, .*empty\.csv: there are no rows\./,
      /feeds\.nothing: there are no rows\./,
      /feeds\.typo, .*typo\.csv:1: two columns are called "name"\./,
      /feeds\.typo, .*typo\.csv:1: there is no column "password"\. It has nmae, name, name\./,
      /feeds\.none: there is no file .*none\.csv\. Paths are relative to the test's file\./,
      /feeds\.judged, row 2: id: must be 1/,
    ];
    for (const sentence of expected) expect(refusal).toMatch(sentence);
    expect(refusal.trimEnd().split("\n").length, refusal).toBe(expected.length);
  });

  test.each([
    {
      what: "too few unique rows for the iterations",
      options: "unique: true",
      scenario: 'executor: "shared-iterations", iterations: 5',
      says: 'feeds.users: needs unique rows for up to 5 iterations (logins 5), but has 3. Add rows, use fewer iterations, or set atEnd: "stop" to end the scenario after the last row (',
    },
    {
      what: "too few unique rows for the virtual users",
      options: 'unique: true, per: "vu"',
      scenario: 'executor: "constant-arrival-rate", rate: 1, duration: "1s"',
      says: "feeds.users: needs unique rows for up to 10000 virtual users (logins 10000), but has 3. Add rows, or use fewer virtual users (maxVUs of arrival rates) (",
    },
    {
      what: "unique rows for an unknown number of iterations",
      options: "unique: true",
      scenario: 'executor: "constant-vus", duration: "1s"',
      says: 'unique rows need a known number of iterations, which logins (constant-vus) does not have. Set atEnd: "stop"',
    },
  ])("because of $what", async ({ options, scenario, says }) => {
    const feeds = `feeds: { users: rows([{ name: "a" }, { name: "b" }, { name: "c" }], { ${options} }) }`;
    expect(await refusalOf({}, `${feeds}, ${logins(scenario)}`)).toContain(says);
  });
});
