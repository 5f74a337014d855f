import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { runForResult, startBearhug, temporaryFolder, type Reported } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Runs a test in a folder with files; by request, how often the server saw it. */
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

/** What is wrong with a test that is refused before it starts. */
async function refusalOf(files: Readonly<Record<string, string>>, definition: string): Promise<string> {
  const server = await startServer();
  const { exitCode, stderr } = await startBearhug([
    "run",
    writeTestWith(files, `baseUrl: "${server.url}", ${definition}`),
  ]);
  expect(exitCode, stderr).toBe(104);
  expect(server.total()).toBe(0);
  return stderr;
}

const visit = 'exec: ({ http, feeds }) => http.get("/" + feeds.users.next().name, { name: "visit" })';

describe("a feed of 10,000 rows", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `user-${index}`);
  const files = { "data/users.csv": `name,password\n${names.map((name) => `${name},"a,b"\n`).join("")}` };
  const scenario = `scenarios: { logins: { executor: "shared-iterations", vus: 30, iterations: 10_000, ${visit} } }`;

  test.each([1, 3])(
    "gives each row to exactly one iteration, with %d workers",
    async (workers) => {
      const feeds = 'feeds: { users: csv("data/users.csv", { unique: true }) }';
      const { exitCode, stdout, served } = await runWithFeeds(files, `${feeds}, ${scenario}`, [
        ...["--workers", String(workers)],
      ]);
      expect(exitCode, stdout).toBe(0);
      expect([...served.values()].every((count) => count === 1)).toBe(true);
      expect([...served.keys()].toSorted()).toEqual(names.map((name) => `GET /${name}`).toSorted());
    },
    60_000,
  );
});

describe("rows in an order drawn from the seed", () => {
  const users = JSON.stringify(Array.from({ length: 1000 }, (_, index) => ({ name: `user-${index}` })));
  const half = `scenarios: { logins: { executor: "per-vu-iterations", vus: 10, iterations: 50, ${visit} } }`;

  test.each(["shuffled", "random"])(
    "are the same for the same seed, for 1 and 3 workers: %s",
    async (order) => {
      const run = async (workers: number, seed: number) => {
        const definition = `feeds: { users: json("users.json", { order: "${order}" }) }, ${half}`;
        const flags = ["--workers", String(workers), "--seed", String(seed)];
        const { served } = await runWithFeeds({ "users.json": users }, definition, flags);
        return [...served].map(([line, count]) => `${line} ${count}`).toSorted();
      };
      const first = await run(1, 7);
      expect(await run(3, 7)).toEqual(first);
      expect(await run(3, 8)).not.toEqual(first);
      if (order === "shuffled") expect(first).toHaveLength(500);
    },
    60_000,
  );
});

describe("feeds that cannot be used are refused before anything is sent", () => {
  const logins = (more: string): string => `scenarios: { logins: { ${more}, ${visit} } }`;

  test("with file and line of every bad row, and everything else that is wrong", async () => {
    const files = {
      "users.csv": 'name,password\nann,1\nbob\n\ncem,3,4\n"dan,5\n',
      "ids.ndjson": '{"id":1}\n{"id":}\n',
      "orders.json": '[{"id":1},\n{"id" 2}]',
      "goods.json": '{"goods":[]}',
      "empty.csv": "name,password\n",
      "typo.csv": "nmae,name,name\n1,2,3\n",
    };
    const schema = `{ "~standard": { version: 1, vendor: "own", validate: (row) => row.id === 1
      ? { value: row } : { issues: [{ message: "must be 1", path: ["id"] }] } } }`;
    const feeds = `feeds: {
      users: csv("users.csv"), ids: ndjson("ids.ndjson"), orders: json("orders.json"), goods: json("goods.json"),
      empty: csv("empty.csv"), typo: csv("typo.csv", { columns: ["name", "password"] }), none: csv("none.csv"),
      judged: rows([{ id: 1 }, { id: 2 }], { schema: ${schema} }),
    }`;
    const said = await refusalOf(
      files,
      `${feeds}, ${logins('executor: "constant-vus", vus: 0, duration: "1s"')}`,
    );
    const expected = [
      /scenarios\.logins\.vus must be 1 or more, but is 0\./,
      /feeds\.users: .*users\.csv:3: the row has 1 field, but there are 2 columns\./,
      /feeds\.users: .*users\.csv:5: the row has 3 fields, but there are 2 columns\./,
      /feeds\.users: .*users\.csv:\d: the file ends inside a quoted field: a closing quote is missing\./,
      /feeds\.ids: .*ids\.ndjson:2: this is not JSON: Unexpected token '}'\./,
      /feeds\.orders: .*orders\.json:2: this is not JSON: /,
      /feeds\.goods: .*goods\.json must hold a list of rows: \[ … \]\./,
      /feeds\.empty: there are no rows\./,
      /feeds\.typo: .*typo\.csv:1: two columns are called "name"\./,
      /feeds\.typo: .*typo\.csv:1: there is no column "password"\. It has nmae, name, name\./,
      /feeds\.none: there is no file .*none\.csv\. Paths are relative to the test's file\./,
      /feeds\.judged: row 2: id: must be 1/,
    ];
    for (const sentence of expected) expect(said).toMatch(sentence);
    expect(said.trimEnd().split("\n").length, said).toBe(expected.length);
  });

  test.each([
    {
      what: "too few unique rows for the iterations",
      options: "unique: true",
      scenario: 'executor: "shared-iterations", iterations: 5',
      says: 'feeds.users: unique rows for up to 5 iterations are needed (logins 5), but there are 3. Add rows, use fewer iterations, or say atEnd: "stop" to end the scenario after the last row.',
    },
    {
      what: "too few unique rows for the virtual users",
      options: 'unique: true, per: "vu"',
      scenario: 'executor: "constant-arrival-rate", rate: 1, duration: "1s"',
      says: "feeds.users: unique rows for up to 10000 virtual users are needed (logins 10000), but there are 3. Add rows, or use fewer virtual users (maxVUs of arrival rates).",
    },
    {
      what: "unique rows for nobody knows how many iterations",
      options: "unique: true",
      scenario: 'executor: "constant-vus", duration: "1s"',
      says: 'because the number of iterations of logins (constant-vus) is not. Say atEnd: "stop"',
    },
  ])("because of $what", async ({ options, scenario, says }) => {
    const feeds = `feeds: { users: rows([{ name: "a" }, { name: "b" }, { name: "c" }], { ${options} }) }`;
    expect(await refusalOf({}, `${feeds}, ${logins(scenario)}`)).toContain(says);
  });
});
