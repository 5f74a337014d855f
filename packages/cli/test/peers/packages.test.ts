import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { command } from "../command.ts";
import { surroundings, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { severalAtOnce } from "../import/several-at-once.ts";
import { requiredPackages, packageUses, type PackageUse } from "./package-uses.ts";

const execute = promisify(execFile);

/** True if npm reaches its registry, which may be another one by npm's own settings. */
const hasRegistry = spawnSync("npm", ["ping"], { timeout: 30_000 }).status === 0;
const lacks = hasRegistry ? "" : " (needs npm and its registry)";

/** The oldest Node on which bearhug runs. npm has it as a package for each kind of machine. */
const oldest = "22.19.0";
const oldestNode = `node-${process.platform}-${process.arch}`;

/** The installation takes minutes on a slow line. */
const timeout = 1_800_000;

describe.skipIf(!hasRegistry)(`npm packages that many use${lacks}`, () => {
  let project = "";

  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), "bearhug-packages-"));
    const pinned = Object.fromEntries(packageUses.map(({ name, version }) => [name, version]));
    const dependencies = { ...pinned, ...requiredPackages, [oldestNode]: oldest };
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({ private: true, type: "module", dependencies }),
    );
    // The install scripts of packages would download programs.
    const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
    await execute("npm", install, { cwd: project, timeout });
    mkdirSync(join(project, "tests"));
    writeFileSync(join(project, "tests", "double.mjs"), "export default (number) => number * 2;\n");
    for (const use of packageUses) writeUse(join(project, "tests"), use);
  }, timeout);

  afterAll(() => {
    rmSync(project, { recursive: true, force: true });
  });

  test("number eighty", () => {
    expect(new Set(packageUses.map(({ name }) => name)).size).toBe(80);
  });

  test.each([oldest, process.versions.node])(
    "give the same value in a test as without one, on Node %s",
    { timeout },
    async (version) => {
      const node =
        version === oldest ? join(project, "node_modules", oldestNode, "bin", "node") : process.execPath;
      const names = packageUses.map(({ name }) => name);
      const outcomes = await severalAtOnce(names, 2, async (name) => {
        const file = join(project, "tests", fileOf(name));
        const plain = await outputOf(node, [`${file}.mjs`]);
        expect(await outputOf(node, [command, "run", `${file}.ts`])).toBe(plain);
      });
      expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== "passed")).toEqual([]);
    },
  );
});

function fileOf(name: string): string {
  return name.replace("/", "+");
}

/** Writes a module for Node and a test that use a package. Both write its value to the file OUTPUT. */
function writeUse(folder: string, { name, imports, value }: PackageUse): void {
  const wanted = 'import { writeFileSync as bearhugWrite } from "node:fs";';
  const use = `bearhugWrite(process.env.OUTPUT, JSON.stringify(await (${value})));`;
  // A client may keep its process alive.
  writeFileSync(join(folder, `${fileOf(name)}.mjs`), `${wanted}\n${imports}\n${use}\nprocess.exit();\n`);
  const test = `
import { defineTest } from "@bearhug/sdk";
${wanted}
${imports}
export default defineTest({
  expectNoRequests: true,
  // A connection of another client to a server of the use itself.
  allowHosts: ["127.0.0.1"],
  allowUnmeasured: true,
  scenarios: { use: { executor: "per-vu-iterations", vus: 1, iterations: 1, exec: async () => { ${use} } } },
});
`;
  writeFileSync(join(folder, `${fileOf(name)}.ts`), test);
}

async function outputOf(node: string, arguments_: readonly string[]): Promise<string> {
  const output = join(temporaryFolder(), "output.json");
  const env = surroundings({ OUTPUT: output });
  await execute(node, arguments_, { env, timeout: 300_000, maxBuffer: 64 * 2 ** 20 }).catch(
    (error: unknown) => {
      const { stderr = "", stdout = "" } = error as { stderr?: string; stdout?: string };
      throw new Error(`${stdout.slice(0, 2000)}${stderr.slice(0, 2000)}`, { cause: error });
    },
  );
  return readFileSync(output, "utf8");
}
