import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, test } from "vitest";

import { root } from "../../../../tools/workspace.mjs";
import { findFloatingPromises } from "../../src/test-set/compiler/floating-promises.ts";
import {
  readNative,
  readWithCompiler,
  type Compiled,
  type Compiler,
} from "../../src/test-set/compiler/read-program.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

const declarations = `import type {} from "@bearhug/sdk";
declare const http: { get(url: string): Promise<{ status: number }>; batch(urls: string[]): Promise<object[]> };
declare const sleep: (duration: string) => Promise<void>;
declare const think: typeof sleep;
declare const page: <R>(name: string, body: () => R | PromiseLike<R>) => Promise<R>;
declare const log: { info(text: string): void };
declare const isNew: boolean;
declare const urls: string[];
declare function buy(): Promise<void>;
declare function maybe(): Promise<void> | undefined;
declare function later(): PromiseLike<number>;
declare function setTimeout(body: () => void, ms: number): number;
export async function visit(): Promise<void> {
`;

/** Statements with floating promises, each on its own line, with the expected messages. */
const floating = [
  [`sleep("1s");`, /^sleep\(…\) is not awaited, so it does not pause: write await before it\.$/],
  [`think("1s");`, /^think\(…\) is not awaited, so it does not pause/],
  [`http.get("/");`, /^http\.get\(…\) is not awaited, .* write void before it\.$/],
  [`http.batch(urls);`, /^http\.batch/],
  [`page("home", () => http.get("/"));`, /^page/],
  [`page("home", async () => { await buy(); buy(); });`, /^page/, /^buy/],
  [`buy();`, /^buy/],
  [`maybe();`, /^maybe/],
  [`later();`, /^later/],
  [`isNew && buy();`, /^buy/],
  [`isNew ? buy() : sleep("1s");`, /^buy/, /^sleep/],
  [`(buy());`, /^buy/],
  [`buy(), log.info("bought");`, /^buy/],
  [`buy().then(() => log.info("bought"));`, /^buy|^This promise/],
  [`http.get("/").finally(() => log.info("done"));`, /^This promise is not awaited/],
  [
    `const inner = () => { sleep("1s"); }; inner();`,
    /: make the function async, and write await before it\.$/,
  ],
  [
    `urls.forEach(async (url) => { await http.get(url); });`,
    /^forEach does not wait .* for \(const one of all\)/,
  ],
  [`[1, 2].forEach(async () => buy());`, /^forEach/],
  [`setTimeout(async () => { await buy(); }, 5);`, /^setTimeout does not wait .* write await sleep\(…\)/],
] as const;

const sound = [
  `await sleep("1s");`,
  `void buy();`,
  `buy().catch(() => log.info("sold out"));`,
  `buy().then(() => log.info("bought"), () => log.info("sold out"));`,
  `buy().catch(() => undefined).finally(() => log.info("done"));`,
  `const bought = buy(); await bought;`,
  `await Promise.all(urls.map(async (url) => http.get(url)));`,
  `for (const url of urls) await http.get(url);`,
  `urls.forEach((url) => log.info(url));`,
  `isNew && log.info("new");`,
  `return buy();`,
];

function projectOf(): { readonly config: string; readonly file: string; readonly firstLine: number } {
  const folder = temporaryFolder();
  const lines = [...floating.map(([line]) => line), ...sound];
  const file = join(folder, "shop.ts").replaceAll("\\", "/");
  writeFileSync(file, `${declarations}${lines.join("\n")}\n}\n`);
  // A file that does not use the SDK belongs to the application, so its promises are not reported.
  writeFileSync(join(folder, "app.ts"), `declare function buy(): Promise<void>;\nbuy();\nexport {};\n`);
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { strict: true, target: "es2023", module: "preserve", lib: ["es2023"], types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["shop.ts", "app.ts"] }));
  return { config, file, firstLine: declarations.split("\n").length };
}

const require = createRequire(import.meta.url);
const packageOf = (version: string): string => join(root, "node_modules", version);
const withJavaScript = (version: string) => (config: string) =>
  readWithCompiler(require(join(packageOf(version), "lib/typescript.js")) as Compiler, config);
const native = async (config: string): Promise<Compiled | null> => {
  const { resolve } = createRequire(join(packageOf("typescript-7.0"), "package.json"));
  return readNative((name) => import(pathToFileURL(resolve(`typescript/${name}`)).href), config);
};

describe.each([
  { version: "6.0", read: withJavaScript("typescript") },
  { version: "5.9", read: withJavaScript("typescript-5.9") },
  { version: "7.0", read: native },
])("with TypeScript $version", ({ read }) => {
  test("exactly the promises that nothing awaits are found, at their places", async () => {
    const { config, file, firstLine } = projectOf();
    const compiled = await read(config);
    if (compiled === null) throw new TypeError("nothing was compiled");
    const found = findFloatingPromises(compiled.program, new Set());
    expect(new Set(found.map((one) => one.file))).toEqual(new Set([file]));
    for (const [index, [line, ...messages]] of floating.entries()) {
      const atLine = found.filter((one) => one.line === firstLine + index);
      expect(
        atLine.map(({ message }) => message),
        line,
      ).toEqual(messages.map((message): unknown => expect.stringMatching(message)));
    }
    const after = found.filter((one) => one.line >= firstLine + floating.length);
    expect(after).toEqual([]);
    expect(found.find(({ message }) => message.startsWith("http.get"))).toMatchObject({ column: 1 });
    expect(findFloatingPromises(compiled.program, new Set([file.replace("shop.ts", "app.ts")])).length).toBe(
      found.length + 1,
    );
    compiled.close();
  });
});

test("check reports floating promises in TypeScript and JavaScript tests with file and line", async () => {
  const folder = temporaryFolder();
  const load = `executor: "per-vu-iterations", vus: 1, iterations: 1`;
  const source = (exec: string): string => `import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "http://127.0.0.1:9", scenarios: { s: { ${load},
  exec: ${exec},
} } });
`;
  writeFileSync(
    join(folder, "a.load.ts"),
    source(`async ({ http, sleep }) => { await http.get("/"); sleep("1s"); }`),
  );
  writeFileSync(
    join(folder, "b.load.js"),
    source(`({ page, http }) => { page("home", () => http.get("/")); }`),
  );
  mkdirSync(join(folder, "node_modules/@bearhug"), { recursive: true });
  symlinkSync(join(root, "packages/sdk"), join(folder, "node_modules/@bearhug/sdk"), "junction");
  const compilerOptions = {
    strict: true,
    target: "es2023",
    module: "preserve",
    moduleResolution: "bundler",
    types: [],
    lib: ["es2023"],
    // The check has just built the declarations, as users have them; the sources take longer.
    customConditions: process.env["BEARHUG_PACKED"] === undefined ? ["bearhug-source"] : [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  symlinkSync(packageOf("typescript"), join(folder, "node_modules/typescript"), "junction");
  const { exitCode, stderr } = await runBearhug(["check"], folder);
  expect(stderr.split("\n")).toEqual([
    "a.load.ts:3:59: error: sleep(…) is not awaited, so it does not pause: write await before it.",
    expect.stringMatching(/^b\.load\.js:3:31: error: page\(…\) is not awaited, .*: make the function async/),
    "2 tests checked: 2 problems in 2 files.",
    "",
  ]);
  expect(exitCode).toBe(104);
});
