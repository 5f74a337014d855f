import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, test } from "vitest";

import { bundleTest } from "../../src/test-file/bundle.ts";
import { exportedBy, folderWith } from "./bundled-project.ts";

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : error;

describe("a module that a package cannot find", () => {
  const driver = {
    "node_modules/driver/package.json": '{ "name": "driver", "main": "index.js" }',
    "node_modules/driver/index.js": `
      exports.open = (name) => {
        switch (name) {
          case "memory": return "memory is open";
          case "sqlite": return require("sqlite-that-nobody-installed").open();
          default: return require("./no-such-file.js");
        }
      };`,
  };

  test("fails only where Node reaches it, with Node's own error", async () => {
    const folder = folderWith({
      ...driver,
      "t.ts": `
        import { open } from "driver";
        const tried = (name: string): string => { try { return open(name); } catch (error) { return error; } };
        export default ["memory", "sqlite", "file"].map(tried);`,
    });
    const [memory, ...errors] = (await exportedBy(join(folder, "t.ts"))) as unknown[];
    expect(memory).toBe("memory is open");
    const driverOfNode = createRequire(join(folder, "t.ts"))("driver") as { open(name: string): unknown };
    for (const [index, name] of ["sqlite", "file"].entries()) {
      const reach = (): unknown => driverOfNode.open(name);
      expect(codeOf(errors[index])).toBe("MODULE_NOT_FOUND");
      expect(reach).toThrow((errors[index] as Error).message.split("\n")[0]);
    }
  });

  test("fails where a dynamic import of an ES module reaches it", async () => {
    const folder = folderWith({
      "t.ts": 'import { adapter } from "esm"; export default await adapter("pg").catch((error) => error);',
      "node_modules/esm/package.json": '{ "name": "esm", "type": "module", "exports": "./index.js" }',
      "node_modules/esm/index.js":
        "export const adapter = (name) => (name === 'pg' ? import('./pg.js') : null);",
      "node_modules/esm/pg.js": 'import { Client } from "no-such-client"; export const pg = new Client();',
    });
    const error = await exportedBy(join(folder, "t.ts"));
    const expected: unknown = await import(join(folder, "node_modules/esm/pg.js")).catch(
      (cause: unknown) => cause,
    );
    expect(codeOf(error)).toBe("ERR_MODULE_NOT_FOUND");
    expect(codeOf(expected)).toBe("ERR_MODULE_NOT_FOUND");
    expect((error as Error).message).toBe(
      `Cannot find package 'no-such-client' imported from ${realpathSync(join(folder, "node_modules/esm/pg.js"))}`,
    );
  });

  test("fails while the test loads if it would fail in Node", async () => {
    const folder = folderWith({
      "t.ts": 'import { adapter } from "esm"; export default adapter;',
      "node_modules/esm/package.json": '{ "name": "esm", "type": "module", "exports": "./index.js" }',
      "node_modules/esm/index.js": 'import x from "no-such-client"; export const adapter = x;',
    });
    await expect(exportedBy(join(folder, "t.ts"))).rejects.toThrow("Cannot find package 'no-such-client'");
  });

  test("is not reported beside the modules that the author's own files cannot find", async () => {
    const folder = folderWith({
      ...driver,
      "t.ts": 'import "driver";\nimport "./parts/nothing.ts";\nimport "shared";',
      "shared/package.json": '{ "name": "shared", "main": "index.ts" }',
      "shared/index.ts": 'import "no-such-package";',
    });
    symlinkSync(join(folder, "shared"), join(folder, "node_modules/shared"), "junction");
    await expect(bundleTest(join(folder, "t.ts"))).rejects.toMatchObject({
      problems: [
        expect.stringMatching(
          /shared\/index\.ts:1:8: Cannot find "no-such-package": there is no such package/,
        ),
        expect.stringMatching(/t\.ts:2:8: Cannot find "\.\/parts\/nothing\.ts": there is no such file\.$/),
      ],
    });
  });

  test("may be a file that cannot be bundled", async () => {
    const folder = folderWith({
      "t.ts": 'import { render } from "page"; export default render("plain");',
      "node_modules/page/index.js": `
        exports.render = (kind) => kind === "plain" ? "plain" : kind === "page" ? require("./page.html") : require("./broken.js");`,
      "node_modules/page/page.html": "<p>",
      "node_modules/page/broken.js": "not JavaScript",
    });
    expect(await exportedBy(join(folder, "t.ts"))).toBe("plain");
  });
});

/** Links a package of pnpm's store to each place that may see it. */
function linkedPackage(folder: string, name: string, ...seenBy: readonly string[]): void {
  const real = join(folder, `node_modules/.pnpm/${name}@1/node_modules/${name}`);
  for (const place of seenBy) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(real, join(folder, place), "junction");
  }
}

describe("a package that looks for files beside itself", () => {
  const store = "node_modules/.pnpm";
  const both = {
    [`${store}/both@1/node_modules/both/package.json`]:
      '{ "name": "both", "exports": { "import": "./import.mjs", "require": "./require.cjs" } }',
    [`${store}/both@1/node_modules/both/import.mjs`]: 'export default "imported";',
    [`${store}/both@1/node_modules/both/require.cjs`]: 'module.exports = "required";',
  };

  test("finds them from its own file, where only it sees its packages", async () => {
    const folder = folderWith({
      ...both,
      "t.ts": 'import { looked } from "looks"; export default looked;',
      [`${store}/looks@1/node_modules/looks/package.json`]: '{ "name": "looks", "main": "./lib/index.js" }',
      [`${store}/looks@1/node_modules/looks/lib/beside.js`]: 'module.exports = "beside";',
      [`${store}/looks@1/node_modules/looks/lib/index.js`]: `
        const load = (name) => require(name);
        exports.looked = [
          require.resolve("./beside.js"), require.resolve("both"), load("./beside.js"), load("both"),
          (name => import(name).then((module) => module.default))("both"),
        ];`,
    });
    linkedPackage(folder, "looks", "node_modules/looks");
    linkedPackage(folder, "both", `${store}/looks@1/node_modules/both`);
    const looked = (await exportedBy(join(folder, "t.ts"))) as unknown[];
    const real = realpathSync(join(folder, store));
    expect(await Promise.all(looked)).toEqual([
      join(real, "looks@1/node_modules/looks/lib/beside.js"),
      join(real, "both@1/node_modules/both/require.cjs"),
      "beside",
      "required",
      "imported",
    ]);
  });

  test("finds them from its own file as an ES module", async () => {
    const folder = folderWith({
      "t.ts": 'import { worker, other } from "esm"; export default [worker, other];',
      "node_modules/esm/package.json":
        '{ "name": "esm", "type": "module", "exports": "./index.js", "imports": { "#other": "./other.js" } }',
      "node_modules/esm/index.js":
        'export const worker = import.meta.resolve("./worker.js");\nexport const other = import.meta.resolve("#other");',
      "node_modules/esm/worker.js": "",
      "node_modules/esm/other.js": "",
    });
    const beside = (name: string): string =>
      pathToFileURL(join(realpathSync(folder), "node_modules/esm", name)).href;
    expect(await exportedBy(join(folder, "t.ts"))).toEqual([beside("worker.js"), beside("other.js")]);
  });

  test("lets Node load native code from its own folder", async () => {
    const folder = folderWith({
      "t.ts":
        'import { load } from "native"; export default (() => { try { load(); } catch (error) { return error; } })();',
      "node_modules/native/index.js": 'exports.load = () => require("native-linux");',
      "node_modules/native-linux/package.json": '{ "name": "native-linux", "main": "build/code.node" }',
      "node_modules/native-linux/build/code.node": "not the code of this machine",
    });
    const error = await exportedBy(join(folder, "t.ts"));
    expect(codeOf(error)).toBe("ERR_DLOPEN_FAILED");
    expect((error as Error).message).toContain(join("native-linux", "build", "code.node"));
  });

  test("is loaded by Node if another package finds its files by the path of the calling code", async () => {
    const folder = folderWith({
      "t.ts": 'import { read } from "database"; export default read();',
      "node_modules/database/lib/index.js":
        'const found = require("bindings")("code.json"); exports.read = () => found.answer;',
      "node_modules/database/package.json": '{ "name": "database", "main": "lib/index.js" }',
      "node_modules/database/build/code.json": '{ "answer": 4 }',
      "node_modules/bindings/index.js": `
        const { dirname, join } = require("node:path");
        module.exports = (name) => {
          const prepare = Error.prepareStackTrace;
          Error.prepareStackTrace = (_error, frames) => frames;
          const [, caller] = new Error().stack;
          Error.prepareStackTrace = prepare;
          return require(join(dirname(caller.getFileName()), "..", "build", name));
        };`,
    });
    expect(await exportedBy(join(folder, "t.ts"))).toBe(4);
  });

  test("is the same instance for its files that Node loads", async () => {
    const folder = folderWith({
      "t.ts": 'import dates from "dates"; dates.use("de"); export default dates.month;',
      "node_modules/dates/index.js": `
        const dates = { locales: { en: "January" }, define(name, month) { dates.locales[name] = month; } };
        dates.use = (name) => { const aliased = require; aliased("./locale/" + name); dates.month = dates.locales[name]; };
        module.exports = dates;`,
      "node_modules/dates/locale/de.js": 'require("../index.js").define("de", "Januar");',
    });
    expect(await exportedBy(join(folder, "t.ts"))).toBe("Januar");
  });

  test("still has its files in the bundle if their names in the code begin with their folder", async () => {
    const folder = folderWith({
      "t.ts":
        'import { dialect } from "orm"; export default [dialect("pg"), dialect("pg") === dialect("pg")];',
      "node_modules/orm/index.js": "exports.dialect = (name) => require(`./dialects/${name}.js`);",
      "node_modules/orm/dialects/pg.js": "module.exports = { name: 'pg' };",
      "node_modules/orm/dialects/sqlite.js": "module.exports = require('no-such-sqlite');",
    });
    expect(await exportedBy(join(folder, "t.ts"))).toEqual([{ name: "pg" }, true]);
  });
});
