import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { loadDefinition } from "@bearhug/plan/test-file/load-definition";
import { SourceLines } from "@bearhug/plan/test-file/source-lines";
import { describe, expect, onTestFinished, test } from "vitest";

import { ownSources } from "../../src/cluster/job/portable-map.ts";
import { describeThrown } from "../../../engine/src/worker/stack-position.ts";
import {
  bundled,
  exportedBy,
  folderWith,
  sourceAt,
  thrownBy,
} from "../../../plan/test/test-file/bundled-project.ts";

function setVariable(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => {
    Reflect.deleteProperty(process.env, name);
  });
}

/** Stages with enums, which Node's own type stripping rejects. */
const stages = {
  "stages/smoke.ts":
    'import { name } from "../names"; enum Load { Smoke = 1 } export default [name, Load.Smoke];',
  "stages/peak.ts":
    'import { name } from "../names"; enum Load { Peak = 9 } export default [name, Load.Peak];',
  "names.ts": 'export const name: string = "stage";',
};

const variable = "process.env.STAGE_FILE as string";
/** The variable contains a slash, but bundling expects a placeholder to stand for a part of one name. */
const severalFolders = "`./${process.env.STAGE_PATH}.ts`";

describe("a file of the project that the test chooses as it runs", () => {
  test.each([
    ["a template", "`./stages/${stage}.ts`"],
    ["a template without the ending", "`./stages/${stage}`"],
    ["a template with the ending of JavaScript", "`./stages/${stage}.js`"],
    ["a sum", '"./stages/" + stage + ".ts"'],
    ["an address", "new URL(`./stages/${stage}.ts`, import.meta.url).href"],
    ["a path", "join(import.meta.dirname, 'stages', `${stage}.ts`)"],
    ["the address of a path", "pathToFileURL(join(import.meta.dirname, 'stages', stage + '.ts')).href"],
    ["a constant", "file"],
    ["a choice", 'stage === "smoke" ? "./stages/smoke.ts" : "./stages/peak.ts"'],
    ["a variable", variable],
    ["a template with folders", severalFolders],
  ])("is loaded as TypeScript if it is chosen by %s", async (_, name) => {
    const folder = folderWith({
      ...stages,
      "t.ts": `
        import { join } from "node:path";
        import { pathToFileURL } from "node:url";
        const stage = process.env.STAGE as "smoke" | "peak";
        const file = \`./stages/\${stage}.ts\`;
        export default [(await import(${name})).default, typeof file, typeof join, typeof pathToFileURL];`,
    });
    setVariable("STAGE", "peak");
    setVariable("STAGE_FILE", "./stages/peak.ts");
    setVariable("STAGE_PATH", "stages/peak");
    const { path } = await bundled(join(folder, "t.ts"));
    expect(await loadDefinition(sourceAt(path))).toEqual([["stage", 9], "string", "function", "function"]);
    // A file that no name in the code can match is bundled only when it is chosen.
    expect(readFileSync(path, "utf8").includes("Peak")).toBe(name !== variable && name !== severalFolders);
  });

  test("is the same module that other files import, and part of the bundle", async () => {
    const folder = folderWith({
      "t.ts": `
        import { state } from "./parts/state.ts";
        state.count++;
        export default (await import(\`./parts/\${process.env.PART}.ts\`)).state === state;`,
      "parts/state.ts": "export const state = { count: 0 };",
    });
    setVariable("PART", "state");
    const { path } = await bundled(join(folder, "t.ts"));
    expect(readFileSync(path, "utf8").match(/count: 0/g)).toHaveLength(1);
    expect(await loadDefinition(sourceAt(path))).toBe(true);
  });

  test("is searched for only in the named folder, never in node_modules", async () => {
    const folder = folderWith({
      "t.ts": "export default (await import(`./${process.env.STAGE}.ts`)).default;",
      "smoke.ts": 'export default "smoke";',
      "app/server.ts": 'import "no-such-framework";',
      "node_modules/some/index.ts": 'import "no-such-package";',
      "node_modules/some/smoke.ts": "export default 1;",
    });
    setVariable("STAGE", "smoke");
    const { path } = await bundled(join(folder, "t.ts"));
    expect(readFileSync(path, "utf8")).not.toContain("no-such");
    expect(await loadDefinition(sourceAt(path))).toBe("smoke");
  });

  test("fails only when it is chosen, and the other files are part of the bundle", async () => {
    const folder = folderWith({
      "t.ts": "export default (await import(`./stages/${process.env.STAGE}.ts`)).default;",
      "stages/smoke.ts": 'export default "smoke";',
      "stages/broken.ts": 'import "no-such-package"; export default 1;',
    });
    setVariable("STAGE", "smoke");
    const { path } = await bundled(join(folder, "t.ts"));
    expect(readFileSync(path, "utf8")).toContain('"smoke"');
    expect(await loadDefinition(sourceAt(path))).toBe("smoke");
    setVariable("STAGE", "broken");
    await expect(exportedBy(join(folder, "t.ts"))).rejects.toThrow(
      /stages.broken\.ts:1:8: Cannot find "no-such-package"/,
    );
  });

  test("does not prevent the choice of another file if its own imports are broken", async () => {
    const folder = folderWith({
      "t.ts": "export default (await import(`./stages/${process.env.STAGE}.ts`)).default;",
      "stages/smoke.ts": 'enum Stage { Smoke = "smoke" } export default Stage.Smoke;',
      "stages/peak.ts": 'import "../broken"; export default 1;',
      "broken.ts": "const = 1;",
    });
    setVariable("STAGE", "smoke");
    expect(await exportedBy(join(folder, "t.ts"))).toBe("smoke");
  });

  test("can be loaded with require", async () => {
    const folder = folderWith({
      ...stages,
      "package.json": '{ "type": "commonjs" }',
      "t.ts": `
        const load = (stage: string): unknown => require(\`./stages/\${stage}.ts\`).default;
        const any = (name: string): unknown => require(name);
        module.exports = [load("smoke"), any("./data.json"), any("node:path").sep];`,
      "data.json": "[1]",
    });
    const exported = await exportedBy(join(folder, "t.ts"));
    expect(exported).toEqual([["stage", 1], [1], expect.any(String)]);
  });
});

test("packages, URLs and JSON that are chosen at run time resolve as Node resolves them from that file", async () => {
  const folder = folderWith({
    "tests/t.ts": `
      const load = (name: string | URL, options?: ImportCallOptions) => import(name as string, options);
      const all = ["both", "node:path", new URL("../plain.mjs", import.meta.url), "#plain"];
      const modules = await Promise.all(all.map((name) => load(name)));
      modules.push(await load("../data.json", { with: { type: "json" } }));
      export default [...modules.map((module) => typeof module.default === "object" ? Object.keys(module.default)[0] : module.default),
        await load("no-such").catch(({ code }) => code)];`,
    "package.json": '{ "imports": { "#plain": "./plain.mjs" } }',
    "plain.mjs": 'export default "plain";',
    "data.json": '{ "data": 1 }',
    "tests/node_modules/both/package.json":
      '{ "name": "both", "exports": { "import": "./import.mjs", "require": "./require.cjs" } }',
    "tests/node_modules/both/import.mjs": 'export default "imported";',
    "tests/node_modules/both/require.cjs": 'module.exports = "required";',
  });
  expect(await exportedBy(join(folder, "tests/t.ts"))).toEqual([
    "imported",
    "resolve",
    "plain",
    "plain",
    "data",
    "ERR_MODULE_NOT_FOUND",
  ]);
});

test("import.meta.resolve and require.resolve start from the source file that calls them", async () => {
  const folder = folderWith({
    "t.ts": 'export { default } from "./parts/addresses.ts";',
    "parts/addresses.ts": `
      import { createRequire } from "node:module";
      const own = createRequire(import.meta.url);
      export default [import.meta.resolve("./data.csv"), import.meta.resolve("node:fs"), own.resolve("./data.csv"), required];
      import { required } from "./required.ts";`,
    "parts/required.ts": 'export const required: string = require.resolve("./data.csv");',
    "parts/data.csv": "",
  });
  const data = join(realpathSync(folder), "parts", "data.csv");
  expect(await exportedBy(join(folder, "t.ts"))).toEqual([pathToFileURL(data).href, "node:fs", data, data]);
});

test("an import that is chosen at run time does not shift positions in the source", async () => {
  const line =
    "const load = (name: string) => import(name); const fail = (): never => { throw new Error(String(load)); };";
  const folder = folderWith({ "t.ts": `${line}\nfail();` });
  const { path } = await bundled(join(folder, "t.ts"));
  const { position } = describeThrown(await thrownBy(path), path);
  const place = { line: 1, column: line.indexOf("new Error") + 1 };
  expect(position && new SourceLines(path).locate(position)?.source).toMatchObject(place);
});

test("the same code has the same fingerprint in any folder", async () => {
  const files = {
    "tests/t.ts": `
      import cjs from "cjs";
      import { here } from "../lib/here.ts";
      const stage = (name: string) => import(\`./stages/\${name}.ts\`);
      export default [cjs, here, stage, import.meta.dirname, require.resolve("./t.ts")];`,
    "tests/stages/one.ts": "export default 1;",
    "lib/here.ts": "export const here = import.meta.url;",
    "node_modules/cjs/index.js": "module.exports = [__dirname, () => require('no-such-package')];",
  };
  const one = await bundled(join(folderWith(files), "tests/t.ts"));
  const other = await bundled(join(folderWith(files, "deeper-"), "tests/t.ts"));
  expect(one.fingerprint).toBe(other.fingerprint);
  const changed = { ...files, "lib/here.ts": "export const here = import.meta.url + 1;" };
  expect((await bundled(join(folderWith(changed), "tests/t.ts"))).fingerprint).not.toBe(one.fingerprint);
});

test("a test with an unknown dynamic import may fetch and have stages; an import in a package does not count", async () => {
  const load = "export const load = (name) => import(name);";
  const files = {
    "own.ts": load,
    "t.ts": 'export { load } from "lazy";',
    "node_modules/lazy/index.mjs": load,
  };
  const folder = folderWith({ ...files, "node_modules/lazy/package.json": '{ "exports": "./index.mjs" }' });
  expect(await bundled(join(folder, "own.ts"))).toMatchObject({ mayFetch: true, mayHaveStages: true });
  expect(await bundled(join(folder, "t.ts"))).toMatchObject({ mayFetch: false, mayHaveStages: false });
});

test("generated loaders and stand-ins for missing modules do not count as sources of the author", async () => {
  const folder = folderWith({
    "t.ts": 'import "cjs"; const load = (name: string) => import(name); export default load;',
    "node_modules/cjs/index.js": "exports.open = (name) => [require(name), require('no such/100%/package')];",
  });
  const { path } = await bundled(join(folder, "t.ts"));
  expect(ownSources(path)).toEqual([join(realpathSync(folder), "t.ts")]);
});
