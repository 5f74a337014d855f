import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../../../tools/workspace.mjs";
import { startCountingServer } from "./counting-server.ts";
import { findOldNode } from "./old-node.ts";
import { packedPackages } from "./packed-packages.ts";
import { runOrThrow, runProcess } from "./run-process.ts";

/** Long, because npx, npm and compilers start slowly on a busy machine. */
const slow = { timeout: 120_000 };
const testFile = `import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "packed",
  setup: () => ({ path: "/from-setup" }),
  scenarios: {
    readers: {
      executor: "shared-iterations",
      vus: 2,
      iterations: 6,
      exec: async ({ http, check, data }) => {
        const answer = await http.get(data.path);
        check(answer, { "status is 200": (response) => response.status === 200 });
      },
    },
  },
  thresholds: { http_req_failed: ["rate<1%"], checks: ["rate==1"] },
});
`;
const wrongTestFile = testFile.replace('"rate<1%"', '"p(95)<1s"');
/** Defines a test with the project's copy of the SDK and runs it with `runTest` of the installed bearhug. */
const programWithOwnSdk = `import { BearhugError as itsOwn, defineTest } from "@bearhug/sdk";
import { BearhugError, InvalidInput, runTest } from "bearhug";

const scenario = { executor: "shared-iterations", vus: 1, iterations: 3, exec: ({ http }) => http.get("/") };
const { verdict } = await runTest(defineTest({ name: "own", baseUrl: process.argv[2], scenarios: { scenario } }));
const error = await runTest("missing.ts").catch((thrown) => thrown);
const isInvalidInput = error instanceof InvalidInput;
console.log(JSON.stringify({ isCopy: itsOwn !== BearhugError, verdict, isInvalidInput, code: error.code }));
`;
let folder: string;
let user: string;
/** The path of the command that npm installed. */
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bearhug-packed-"));
  user = await mkdtemp(join(tmpdir(), "bearhug-user-"));
  installed = join(user, "node_modules/.bin/bearhug");
  // The MCP server is left out: it has third-party dependencies, and most users do not install it.
  const tarballs = (await packedPackages(folder)).filter((path) => !path.includes("bearhug-mcp"));
  await runOrThrow("npm", ["install", "--no-audit", "--no-fund", ...tarballs], user);
  await writeFile(join(user, "test.ts"), testFile);
  await runOrThrow(installed, ["init", "http://127.0.0.1:8080/", "--directory", "shop", "--yes"], user);
}, 240_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(user, { recursive: true, force: true });
});

describe("the packed packages, installed with npm into an empty folder", () => {
  test.for(["bearhug", "@bearhug/sdk", "@bearhug/har-import"])(
    "%s depends only on released versions, and includes its README and licence",
    async (name) => {
      const folder = join(user, "node_modules", name);
      const manifest = await readFile(join(folder, "package.json"), "utf8");
      expect(manifest).not.toMatch(/workspace:|catalog:|bearhug-source/);
      expect(await readdir(folder)).toEqual(expect.arrayContaining(["README.md", "LICENSE", "dist"]));
    },
  );

  test("have no install scripts", async () => {
    const lock = await readFile(join(user, "node_modules/.package-lock.json"), "utf8");
    expect(lock).toContain('"node_modules/bearhug"');
    expect(lock).not.toContain('"hasInstallScript"');
  });

  test("have no peer dependencies, whose dependencies npm would resolve, too", async () => {
    const names = ["bearhug", "@bearhug/sdk", "@bearhug/har-import"];
    const manifests = names.map((name) => readFile(join(user, "node_modules", name, "package.json"), "utf8"));
    for (const manifest of await Promise.all(manifests)) expect(manifest).not.toContain('"peerDependencies"');
  });

  test("take at most 24 MB with their dependencies", async () => {
    const entries = await readdir(user, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const stats = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
    expect(stats.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(24_000_000);
  });

  test.for([
    ["bearhug", "esbuild"],
    ["bearhug", "tough-cookie"],
    ["@bearhug/sdk", "htmlparser2"],
    ["@bearhug/sdk", "zod"],
    ["@bearhug/har-import", "prettier"],
  ] as const)("%s includes the licences of its bundled packages, such as %s", async ([name, contained]) => {
    const licences = await readFile(join(user, "node_modules", name, "dist/THIRD-PARTY-NOTICES.txt"), "utf8");
    expect(licences).toMatch(new RegExp(`^${contained} \\d+\\.\\d+\\.\\d+\\n\\n`, "m"));
    expect(licences).toContain("Permission is hereby granted");
    expect(await readdir(join(user, "node_modules"))).not.toContain(contained);
  });

  test("npm create bearhug plans the same files as bearhug init", slow, async () => {
    const line = ["http://127.0.0.1:8080/", "--dry-run"];
    const created = await runOrThrow(join(user, "node_modules/.bin/create-bearhug"), line, user);
    expect(created.stdout).toMatch(/^ {2}new +load\/first\.load\.ts\n/);
    expect(created).toEqual(await runOrThrow(installed, ["init", ...line], user));
  });

  test("npx bearhug <url> -n sends exactly that many requests", slow, async () => {
    await using server = await startCountingServer();
    await runOrThrow("npx", ["bearhug", server.url, "-n", "20"], user);
    expect(server.requests()).toBe(20);
  });

  test("bearhug run test.ts runs a test and judges it", slow, async () => {
    await using server = await startCountingServer();
    await runOrThrow(installed, ["run", "test.ts", "--target", server.url], user);
    expect(server.requests()).toBe(6);
  });

  test("the demo site finds its pictures", slow, async () => {
    const demo = spawn(process.execPath, ["node_modules/bearhug/bin/bearhug.js", "demo", "--listen", "0"], {
      cwd: user,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const url = await once(createInterface({ input: demo.stdout }), "line").then(([line]) =>
        String(line).trim().split(/\s+/).at(-1),
      );
      const found = ["/hero.webp", "/images/1.png", "/logo.svg", "/style.css"].map(async (path) => {
        const { status, headers } = await fetch(`${url}${path}`);
        return `${status} ${headers.get("content-type")}`;
      });
      expect(await Promise.all(found)).toEqual([
        "200 image/webp",
        "200 image/png",
        "200 image/svg+xml",
        "200 text/css; charset=utf-8",
      ]);
    } finally {
      demo.kill();
    }
  });

  test("bearhug run accepts a test file with nothing installed beside it", slow, async () => {
    await using server = await startCountingServer();
    const elsewhere = await mkdtemp(join(tmpdir(), "bearhug-elsewhere-"));
    await writeFile(join(elsewhere, "test.ts"), testFile);
    await runOrThrow(installed, ["run", join(elsewhere, "test.ts"), "--target", server.url], user);
    await rm(elsewhere, { recursive: true });
    expect(server.requests()).toBe(6);
  });

  test(
    "a project with its own copy of the SDK can run tests and recognize the classes of errors",
    slow,
    async () => {
      await using server = await startCountingServer();
      const project = join(user, "own-sdk");
      await cp(join(user, "node_modules/@bearhug/sdk"), join(project, "node_modules/@bearhug/sdk"), {
        recursive: true,
      });
      await writeFile(join(project, "test.ts"), testFile);
      await writeFile(join(project, "program.mjs"), programWithOwnSdk);
      await runOrThrow(installed, ["run", "test.ts", "--target", server.url], project);
      expect(server.requests()).toBe(6);
      const { stdout } = await runOrThrow(process.execPath, ["program.mjs", server.url], project);
      expect(JSON.parse(stdout)).toEqual({
        isCopy: true,
        verdict: "passed",
        isInvalidInput: true,
        code: "INVALID_INPUT",
      });
      expect(server.requests()).toBe(9);
    },
  );

  test.for(["typescript-5.9", "typescript", "typescript-7.0"])(
    "the compiler (%s) accepts a valid test and that of bearhug init, and finds the mistake in a wrong one",
    slow,
    async (compiler) => {
      const files = ["test.ts", "wrong.ts", "shop/load/first.load.ts"];
      // init adds @types/node to a project; here they come from the workspace.
      const compilerOptions = { typeRoots: [join(root, "node_modules/@types")] };
      const options = { extends: "./shop/load/tsconfig.json", compilerOptions, files, include: [] };
      await writeFile(join(user, "wrong.ts"), wrongTestFile);
      await writeFile(join(user, "tsconfig.json"), JSON.stringify(options));
      const tsc = join(root, "node_modules", compiler, "bin/tsc");
      const project = ["--project", join(user, "tsconfig.json"), "--pretty", "false"];
      const { code, stdout } = await runProcess(process.execPath, [tsc, ...project], user);
      expect(code).not.toBe(0);
      const errors = stdout.split("\n").filter((line) => /^\S/.test(line));
      expect(errors).toEqual([expect.stringMatching(/^wrong\.ts.*p\(95\)<1s/)]);
    },
  );

  const oldNode = findOldNode();
  test.skipIf(oldNode === undefined)("on an older Node, the command names the version it needs", async () => {
    const run = await runProcess(oldNode ?? "", [join(user, "node_modules/.bin/bearhug"), "--version"], user);
    expect(run).toMatchObject({ code: 104, stdout: "" });
    expect(run.stderr).toMatch(/^bearhug needs Node 22\.19 or newer; this is Node \S+ \(\S+\)\.\n$/);
  });
});
