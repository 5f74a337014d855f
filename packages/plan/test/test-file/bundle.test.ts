import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { InvalidInput } from "@bearhug/sdk";
import { isTest } from "@bearhug/sdk/internal";
import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { validateTest } from "../../src/definition/validate-test.ts";
import { loadDefinition } from "../../src/test-file/load-definition.ts";
import { bundleTest, bundleText, type Bundle } from "../../src/test-file/bundle.ts";
import { SourceLines } from "../../src/test-file/source-lines.ts";
import { describeThrown, serializeThrown } from "../../../engine/src/worker/stack-position.ts";
import { bundled, exportedBy, folderWith, sourceAt, thrownBy } from "./bundled-project.ts";

/** Returns the stack of an error thrown at the place in a bundle that contains this code. */
function stackIn(path: string, code: string): string {
  const lines = readFileSync(path, "utf8").split("\n");
  const line = lines.findIndex((text) => text.includes(code));
  return `Error: x\n    at somewhere (${pathToFileURL(path).href}:${line + 1}:${(lines[line]?.indexOf(code) ?? 0) + 1})`;
}

const testSource = `
import { defineTest } from "@bearhug/sdk";
import { wait } from "./parts/wait";
export default defineTest({
  name: "bundled",
  scenarios: { s: { executor: "constant-vus", vus: 1, duration: wait, exec: () => {} } },
});
`;

describe("a test outside of any project", () => {
  test("is bundled with its own files, and runs with the command line's own SDK", async () => {
    const folder = folderWith({ "t.ts": testSource, "parts/wait.ts": 'export const wait = "3s" as const;' });
    const { path } = await bundled(join(folder, "t.ts"));
    expect(readFileSync(path, "utf8")).not.toContain("class BearhugError");
    const test = await loadDefinition(sourceAt(path));
    expect(isTest(test)).toBe(true);
    expect(validateTest(test)).toMatchObject({
      problems: [],
      test: { name: "bundled", scenarios: [{ name: "s", durationMs: 3000 }] },
    });
  });

  test("leaves nothing behind once its bundle is removed, nor if it cannot be read", async () => {
    const folder = folderWith({
      "t.ts": testSource,
      "parts/wait.ts": "export const wait = 1;",
      "bad.ts": "const = 1;",
    });
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    const bundle = await bundleTest(join(folder, "t.ts"));
    expect(bundle.path.startsWith(join(modules, ".cache", "bearhug"))).toBe(true);
    bundle.remove();
    expect(existsSync(bundle.path)).toBe(false);
    await expect(bundleTest(join(folder, "bad.ts"))).rejects.toBeInstanceOf(InvalidInput);
    expect(readdirSync(join(modules, ".cache", "bearhug"))).toEqual([]);
  });
});

describe("a test that is in no file", () => {
  const text = testSource.replace('import { wait } from "./parts/wait";', 'const wait: "3s" = "3s";');

  test("is bundled as if it were at the given path", async () => {
    const folder = folderWith({ "node_modules/greeting/index.js": 'export default "hello";' });
    const source = `import greeting from "greeting";\n${text.replace('"bundled"', "greeting")}`;
    const bundle = await bundleText(source, join(folder, "shop.har.ts"));
    expect(bundle.path.startsWith(join(folder, "node_modules", ".cache", "bearhug"))).toBe(true);
    const test = await loadDefinition(sourceAt(bundle.path));
    expect(validateTest(test)).toMatchObject({ problems: [], test: { name: "hello" } });
    bundle.remove();
    expect(existsSync(bundle.path)).toBe(false);
    expect(readdirSync(folder)).toEqual(["node_modules"]);
  });

  test("is reported with the place where it cannot be parsed", async () => {
    const bundled = bundleText("const = 1;", join(folderWith({}), "shop.har.ts"));
    await expect(bundled).rejects.toMatchObject({ problems: [expect.stringContaining("shop.har.ts:1:7")] });
  });
});

describe("a file that cannot be read", () => {
  test.skipIf(process.platform === "win32")("is named if its path has an asterisk", async () => {
    const file = join(folderWith({ "st*r/t.ts": testSource }), "st*r/t.ts");
    await expect(bundleTest(file)).rejects.toThrow(
      `${file}:1:1: A file whose path has a * cannot be loaded. Rename it, or its folder.`,
    );
  });

  test.each([
    { what: "a syntax error", source: "const a = 1;\nconst b = ;\n", where: "t.ts:2:11", says: "Unexpected" },
    {
      what: "an import of a missing file",
      source: 'import "./nothing";\n',
      where: "t.ts:1:8",
      says: "./nothing",
    },
    {
      what: "an unknown package",
      source: '\nimport "no-such-package-here";\n',
      where: "t.ts:2:8",
      says: "no-such-package-here",
    },
  ])("because of $what is reported at its place: $where", async ({ source, where, says }) => {
    const folder = folderWith({ "t.ts": source });
    const error: unknown = await bundleTest(join(folder, "t.ts")).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(InvalidInput);
    const [problem, ...others] = error instanceof InvalidInput ? error.problems : [];
    expect(problem).toContain(where);
    expect(problem).toContain(says);
    expect(others).toEqual([]);
  });

  test("because it is UTF-16, as PowerShell writes it, says so", async () => {
    const folder = folderWith({ "t.ts": 'import "./data.json";\n' });
    writeFileSync(join(folder, "data.json"), Buffer.from("\ufeff{}", "utf16le"));
    writeFileSync(join(folder, "u.ts"), Buffer.from("\ufeffexport default 1;\r\n", "utf16le"));
    const says = "This is UTF-16. Save it as UTF-8.";
    await expect(bundleTest(join(folder, "t.ts"))).rejects.toThrow(`data.json:1:1: ${says}`);
    await expect(bundleTest(join(folder, "u.ts"))).rejects.toThrow(`u.ts:1:1: ${says}`);
  });

  test("is reported with every error at once", async () => {
    const folder = folderWith({ "t.ts": 'import "./one";\nimport "./two";\n' });
    await expect(bundleTest(join(folder, "t.ts"))).rejects.toMatchObject({
      problems: [expect.stringContaining("./one"), expect.stringContaining("./two")],
    });
  });

  test.each([
    ["./users.ts", "there is no such file."],
    [
      "no-such-package/deep/part.js",
      'there is no such package. Run "npm install no-such-package", or check "paths" in tsconfig.json.',
    ],
    [
      "@no-such/package",
      'there is no such package. Run "npm install @no-such/package", or check "paths" in tsconfig.json.',
    ],
    ["~/lib/login", 'there is no such package. Check "paths" in tsconfig.json.'],
    ["#lib", 'add it to "imports" in package.json.'],
    ["installed/inside", 'The path "./inside" is not exported by package "installed".'],
    ["bun:test", "Node has no such module."],
  ])("because it imports %s is reported with a way to fix it", async (name, advice) => {
    const folder = folderWith({
      "t.ts": `import ${JSON.stringify(name)};`,
      "node_modules/installed/package.json": '{ "name": "installed", "exports": { ".": "./index.js" } }',
      "node_modules/installed/index.js": "",
    });
    await expect(bundleTest(join(folder, "t.ts"))).rejects.toMatchObject({
      problems: [expect.stringMatching(/t\.ts:1:8: /)],
    });
    await expect(bundleTest(join(folder, "t.ts"))).rejects.toMatchObject({
      problems: [expect.stringContaining(`Cannot find "${name}": ${advice}`)],
    });
  });

  test("for importing a file that is not code says how to read it, and reading it that way works", async () => {
    const asText = `add with { type: "text" } to the import to get its text.`;
    const folder = folderWith({
      "t.ts":
        'import rows from "./data/rows.csv";\nimport sheet from "./sheet.yaml";\nexport default [rows, sheet];',
      "text.ts": 'import rows from "./data/rows.csv" with { type: "text" };\nexport default rows;',
      "data/rows.csv": "name\nada\n",
      "sheet.yaml": "name: ada\n",
    });
    const error: unknown = await bundleTest(join(folder, "t.ts")).catch((cause: unknown) => cause);
    expect(error instanceof InvalidInput ? error.problems : error).toEqual([
      expect.stringMatching(/t\.ts:1:18: /),
      expect.stringMatching(/t\.ts:2:19: /),
    ]);
    expect(error).toMatchObject({
      problems: [
        expect.stringContaining(
          `Cannot import "data/rows.csv" as code: use a feed, csv("data/rows.csv"), or ${asText}`,
        ),
        expect.stringContaining(`Cannot import "sheet.yaml" as code: ${asText}`),
      ],
    });
    expect(await exportedBy(join(folder, "text.ts"))).toBe("name\nada\n");
  });

  test("for not being there says so", async () => {
    await expect(bundleTest("/no/such/test.ts")).rejects.toBeInstanceOf(InvalidInput);
  });
});

describe("an error that a test throws", () => {
  const source = [
    "interface Unused { readonly a: string }",
    "function fail(message: string): never {",
    "  throw new RangeError(message);",
    "}",
    "fail('too far');",
  ].join("\n");

  test.each(["bearhug-", "bearhug with blanks-", "bärenhöhle-", "100%-#1-", "%41-"])(
    "is found in the source, in a folder such as %s",
    async (name) => {
      const folder = folderWith(
        { "parts/your test.ts": source, "t.ts": 'import "./parts/your test";' },
        name,
      );
      const { path } = await bundled(join(folder, "t.ts"));
      const { message, position } = serializeThrown(await thrownBy(path), path, createMask([]));
      expect(message).toBe("RangeError: too far");
      expect(position).not.toBeNull();
      const located = new SourceLines(path).locate(position!);
      expect(located?.source).toMatchObject({
        file: join(folder, "parts", "your test.ts"),
        line: 3,
        column: 9,
      });
      expect(located?.frame).toContain("> 3 |   throw new RangeError(message);\n    |         ^");
    },
  );

  test("is found even if a package's source map names sources that do not exist", async () => {
    const map = { version: 3, sources: ["gone.ts"], names: [], mappings: "AAAA" };
    const folder = folderWith({
      "t.ts": `import "mapped";\n${source}`,
      "node_modules/mapped/package.json": '{ "name": "mapped", "main": "index.js" }',
      "node_modules/mapped/index.js": "globalThis.mapped = 1;\n//# sourceMappingURL=index.js.map",
      "node_modules/mapped/index.js.map": JSON.stringify(map),
    });
    const { path } = await bundled(join(folder, "t.ts"));
    const { position } = describeThrown(await thrownBy(path), path);
    expect(new SourceLines(path).locate(position!)?.source).toMatchObject({ line: 4 });
  });

  describe("with packages, as npm lays them out beside the bundle", () => {
    const packages = {
      "node_modules/inner/index.js":
        "exports.call = (body) => body();\nexports.refuse = (cause) => { throw new Error('refused', { cause }); };",
      "node_modules/@some/outer/index.mjs":
        'import { call, refuse } from "inner";\nexport const run = (body) => call(body);\nexport const fail = (cause) => call(() => refuse(cause));',
      "node_modules/@some/outer/package.json": '{ "main": "index.mjs" }',
    };
    const bundledWith = (text: string): Promise<Bundle> =>
      bundled(join(folderWith({ ...packages, "t.ts": text, "lib/shop.ts": shop }), "t.ts"));
    const shop = 'import { fail } from "@some/outer";\nexport const buy = (): void => fail();';

    test.each([
      ["lib/shop.ts", 2, 'import { buy } from "./lib/shop.ts";\n\nbuy();'],
      [
        "t.ts",
        2,
        'import { run } from "@some/outer";\nconst fail = () => run(() => { throw Error("own"); });\nfail();',
      ],
      ["t.ts", 2, 'import { fail } from "@some/outer";\nfail(new Error("cause"));'],
    ])("is found at its innermost line in the author's own files: %s:%i", async (file, line, text) => {
      const { path, folder } = await bundledWith(text);
      const { position } = describeThrown(await thrownBy(path), path);
      const located = new SourceLines(path).locate(position!);
      expect(located?.source).toMatchObject({ line, file: join(folder, file) });
      expect(located?.frame).toContain(`> ${line} |`);
    });

    test("is found in its cause if only that has a line of the author's own", async () => {
      const { path } = await bundledWith(
        'import { fail } from "@some/outer";\nexport default [fail, Date.now()];',
      );
      const cause = Object.assign(new Error("own"), { stack: stackIn(path, "Date.now()") });
      const error = Object.assign(new Error("outer", { cause }), {
        stack: stackIn(path, "throw new Error("),
      });
      expect(new SourceLines(path).locate(describeThrown(error, path).position!)?.source).toMatchObject({
        line: 2,
      });
    });

    test("is found in the package if no line of the author's own is known", async () => {
      const { path, folder } = await bundledWith('import { fail } from "@some/outer";\nexport default fail;');
      const error = new Error("alone");
      error.stack = stackIn(path, "throw new Error(");
      const located = new SourceLines(path).locate(describeThrown(error, path).position!);
      expect(located?.source).toMatchObject({
        file: join(folder, "node_modules", "inner", "index.js"),
        line: 2,
      });
    });

    test("is found at the author's import of the package, or of one that depends on it", async () => {
      const { path, folder } = await bundledWith(
        '\nimport { fail } from "@some/outer";\nexport default fail;',
      );
      for (const code of ["throw new Error(", "fail = (cause)"]) {
        const position = {
          ...describeThrown(Object.assign(new Error(), { stack: stackIn(path, code) }), path).position!,
          isForImport: true,
        };
        expect(new SourceLines(path).locate(position)?.source, code).toEqual({
          file: join(folder, "t.ts"),
          line: 2,
          column: 1,
        });
      }
    });
  });

  test("has no frame once its source file is gone", async () => {
    const folder = folderWith({ "t.ts": source });
    const { path } = await bundled(join(folder, "t.ts"));
    const { position } = describeThrown(await thrownBy(path), path);
    const lines = new SourceLines(path);
    rmSync(join(folder, "t.ts"));
    expect(lines.locate(position!)).toMatchObject({ source: { line: 3 }, frame: null });
  });
});

describe("import.meta of a bundled module", () => {
  const everything = "[import.meta.url, import.meta.dirname, import.meta.filename]";
  const placeOf = (...path: [string, ...string[]]): string[] => {
    const file = join(...path);
    return [pathToFileURL(file).href, join(file, ".."), file];
  };

  test.each(["bearhug-", "bearhug with blanks-", "bärenhöhle-", "100%-#1-", 'quote-"-'])(
    "is that of its source file, in a folder such as %s",
    async (name) => {
      const folder = folderWith(
        {
          "t.ts": `import { here } from "./parts/here.ts"; export default [${everything}, here];`,
          "parts/here.ts": `export const here: string[] = ${everything};`,
        },
        name,
      );
      expect(await exportedBy(join(folder, "t.ts"))).toEqual([
        placeOf(folder, "t.ts"),
        placeOf(folder, "parts", "here.ts"),
      ]);
    },
  );

  test("is that of its source file however it is written", async () => {
    const source = `const { dirname } = import.meta;
      const meta = import /* this one */ . meta;
      export default [dirname, meta.filename, import.meta["url"], __dirname, __filename];`;
    const folder = folderWith({ "t.ts": source });
    const [url, dirname, filename] = placeOf(folder, "t.ts");
    expect(await exportedBy(join(folder, "t.ts"))).toEqual([dirname, filename, url, dirname, filename]);
  });

  test("is that of a package's file, in ES modules and CommonJS", async () => {
    const folder = folderWith({
      "t.ts": 'import esm from "esm"; import cjs from "cjs"; export default [esm, cjs];',
      "node_modules/esm/index.mjs": `export default ${everything};`,
      "node_modules/esm/package.json": '{ "exports": "./index.mjs" }',
      "node_modules/cjs/index.js": 'module.exports = [__dirname, __filename, "import.meta.url"];',
    });
    const cjs = join(folder, "node_modules", "cjs");
    expect(await exportedBy(join(folder, "t.ts"))).toEqual([
      placeOf(folder, "node_modules", "esm", "index.mjs"),
      [cjs, join(cjs, "index.js"), "import.meta.url"],
    ]);
  });

  test("is left alone where it is text", async () => {
    const source =
      'export default ["import.meta.url", `${1}import.meta`, /import.meta.dirname/.source]; // import.meta';
    const folder = folderWith({ "t.ts": source });
    const texts = ["import.meta.url", "1import.meta", "import.meta.dirname"];
    expect(await exportedBy(join(folder, "t.ts"))).toEqual(texts);
  });

  test("still resolves packages, also in a module that re-exports a type", async () => {
    const folder = folderWith({
      "t.ts": 'export { Row } from "./row.ts"; export default import.meta.resolve("node:fs");',
      "row.ts": "export interface Row { readonly name: string }",
    });
    expect(await exportedBy(join(folder, "t.ts"))).toBe("node:fs");
  });

  test.each(["bearhug-", "bearhug with blanks-", "100%-#1-"])(
    "does not shift the positions of errors, in a folder such as %s",
    async (name) => {
      const fail =
        "function fail(message: string): never { const a: 1 = 1; throw new RangeError(message + a); }";
      const source = `const at = import.meta.url; ${fail}\n\nfail(at);\n`;
      const folder = folderWith({ "your test.ts": source, "t.ts": 'import "./your test.ts";' }, name);
      const { path } = await bundled(join(folder, "t.ts"));
      const { position } = describeThrown(await thrownBy(path), path);
      const place = {
        file: join(folder, "your test.ts"),
        line: 1,
        column: source.indexOf("new RangeError") + 1,
      };
      expect(new SourceLines(path).locate(position!)?.source).toEqual(place);
    },
  );

  test("does not hide a syntax error", async () => {
    const folder = folderWith({ "t.ts": "const a = import.meta.url;\nconst b = ;\n" });
    const error = { problems: [expect.stringContaining("t.ts:2:11")] };
    await expect(bundleTest(join(folder, "t.ts"))).rejects.toMatchObject(error);
  });
});

test("the default export of a CommonJS module is found, as compilers write it", async () => {
  const test = `require("@bearhug/sdk").defineTest({ scenarios: {} })`;
  const folder = folderWith({
    "compiled.cjs": `Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = ${test};`,
    "by-hand.cjs": `exports.default = ${test};`,
    "whole.cjs": `module.exports = ${test};`,
  });
  for (const file of ["compiled.cjs", "by-hand.cjs", "whole.cjs"])
    expect(await exportedBy(join(folder, file))).toMatchObject({ scenarios: {} });
});

test("the default export of a CommonJS module is judged like any other", async () => {
  const folder = folderWith({
    "plain.cjs": `exports.default = { scenarios: {} };`,
    "function.cjs": `exports.default = async () => undefined;`,
    "k6.cjs": `exports.options = { vus: 1 };\nexports.default = () => undefined;`,
  });
  expect(await exportedBy(join(folder, "plain.cjs"))).toEqual({ scenarios: {} });
  const problemOf = (text: string): object => ({ problems: [expect.stringMatching(text)] });
  await expect(exportedBy(join(folder, "function.cjs"))).rejects.toMatchObject(
    problemOf("^The default export is a function\\."),
  );
  await expect(exportedBy(join(folder, "k6.cjs"))).rejects.toMatchObject(
    problemOf("^This is a k6 script\\."),
  );
});
