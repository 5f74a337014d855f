import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { hasChromium } from "../chromium.ts";
import { runBearhug, startBearhug, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Creates a folder with a Playwright script of this body. */
function folderWith(body: string): string {
  const folder = temporaryFolder();
  const head =
    'import type { Page } from "playwright-core";\nexport default async (page: Page): Promise<void> => {\n';
  writeFileSync(join(folder, "flow.ts"), `${head}${body}\n};\n`);
  return folder;
}

const byScript = ["--headless", "--script", "flow.ts"];

describe.skipIf(!hasChromium)("bearhug record", () => {
  test("makes a test of a visit in one command, and leaves no password and no recording", async () => {
    const site = await startDemo({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => site.close());
    const folder = folderWith(`
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByLabel("User").fill("grace");
  await page.getByLabel("Password").fill("honey");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText("Hello, grace").waitFor();
  await page.getByRole("link", { name: "Products", exact: true }).click();
  await page.getByRole("link", { name: "Clover honey" }).click();
  await page.getByRole("button", { name: "Add to cart" }).waitFor();`);
    const TMPDIR = temporaryFolder();
    const recorded = await runBearhug(["record", site.url, ...byScript], folder, { TMPDIR });
    expect(recorded).toMatchObject({ exitCode: 0, stdout: "" });
    expect(recorded.stderr).toContain("wrote load/recorded.load.ts, load/.env.example\n");
    expect(readdirSync(TMPDIR)).toEqual([]);
    const files = ["recorded.load.ts", ".env.example"].map((name) =>
      readFileSync(join(folder, "load", name), "utf8"),
    );
    expect(files.join("\n").replaceAll("Clover honey", "")).not.toMatch(/grace|honey/);
    const variables = ["--env", "SITE_USER=grace", "--env", "PASSWORD=honey"];
    const ran = await runBearhug(["run", "load/recorded.load.ts", ...variables, "--iterations", "1"], folder);
    // On a busy machine, the summary begins with a warning.
    expect(ran.stdout).toMatch(/^[✓!] passed/);
    // The password is also a word of the shop: it is masked where it is the password, and nowhere else.
    expect(ran.stdout).toContain("Clover honey");
    expect(ran.stdout).not.toContain("***");
    expect(ran.stderr).toContain("PASSWORD: their values are common words or short");
    const tried = await runBearhug(["try", "load/recorded.load.ts", ...variables], folder);
    expect(tried.stdout).toContain("page Clover honey");
    expect(tried.stdout).toMatch(/user=grace&password=\*\*\*/);
    expect(tried.stdout).not.toMatch(/password=honey/);
    const again = await runBearhug(["record", site.url, ...byScript], folder);
    expect(again).toMatchObject({
      exitCode: 104,
      stderr: "bearhug: -o load/recorded.load.ts: is there already; --force replaces it.\n",
    });
  });

  test("refuses --with-values before the visit if git would track the values", async () => {
    const folder = folderWith('throw new Error("the browser was opened");');
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    const { url } = await startServer();
    const line = ["record", url, ...byScript, "--with-values"];
    const refused = await runBearhug(line, folder);
    expect(refused).toMatchObject({
      exitCode: 104,
      stderr:
        'bearhug: --with-values load/.env: git would track this file, which would contain secrets. Use --yes to add ".env" to .gitignore.\n',
    });
    const agreed = await runBearhug([...line, "--yes"], folder);
    expect(agreed.stderr).toContain("the browser was opened");
  });

  test("keeps a recording that cannot be imported, and says where it is", async () => {
    const folder = folderWith('await page.getByText("hello").waitFor();');
    const { url } = await startServer((_request, response) => {
      // Appears only during the visit, and makes the import fail.
      mkdirSync(join(folder, "load", ".env.example"), { recursive: true });
      response.end("hello");
    });
    const TMPDIR = temporaryFolder();
    const failed = await runBearhug(["record", url, ...byScript, "--force"], folder, { TMPDIR });
    expect(failed.exitCode, failed.stderr).not.toBe(0);
    const [kept = ""] = readdirSync(TMPDIR);
    const har = join(TMPDIR, kept, "recorded.har");
    expect(failed.stderr).toContain(
      `To import it: bearhug import ${har} -o load/recorded.load.ts. Then delete it.\n`,
    );
    expect(statSync(har).mode & 0o777).toBe(0o600);
    expect(statSync(join(TMPDIR, kept)).mode & 0o777).toBe(0o700);
    const imported = await runBearhug(["import", har, "-o", "other/recorded.load.ts"], folder);
    expect(imported.exitCode, imported.stderr).toBe(0);
  });

  test("leaves nothing behind at Ctrl-C", async () => {
    const folder = folderWith(
      '  await page.goto(new URL("/ready", page.url()).href);\n  await page.waitForEvent("close", { timeout: 0 });',
    );
    const started: { child?: ReturnType<typeof startBearhug>["child"] } = {};
    const { url } = await startServer((request, response) => {
      response.end("hello");
      if (request.url === "/ready") started.child?.kill("SIGINT");
    });
    const TMPDIR = temporaryFolder();
    const run = startBearhug(["record", url, ...byScript], folder, { TMPDIR });
    started.child = run.child;
    expect(await run).toMatchObject({
      exitCode: 105,
      stderr: "bearhug record: SIGINT: stopped; no file was written\n",
    });
    expect(readdirSync(TMPDIR)).toEqual([]);
    expect(existsSync(join(folder, "load"))).toBe(false);
  });

  test("shows what a script waited for, and where, as Playwright does", async () => {
    const { url } = await startServer();
    const folder = folderWith("  await page.click('#nowhere', { timeout: 100 });");
    const failed = await runBearhug(["record", url, ...byScript], folder);
    expect(failed).toMatchObject({
      exitCode: 104,
      stderr: `bearhug: flow.ts:3:14: TimeoutError: page.click: Timeout 100ms exceeded.
Call log:
  - waiting for locator('#nowhere')

  1 | import type { Page } from "playwright-core";
  2 | export default async (page: Page): Promise<void> => {
> 3 |   await page.click('#nowhere', { timeout: 100 });
    |              ^
  4 | };

    at flow.ts:3:14
`,
    });
    expect(readdirSync(folder)).toEqual(["flow.ts"]);
  });

  test("names every line of the script that led to an error, and no secret of the environment", async () => {
    const { url } = await startServer();
    const folder = folderWith("  await logIn(page);");
    writeFileSync(
      join(folder, "flow.ts"),
      `import { logIn } from "./log-in";\n${readFileSync(join(folder, "flow.ts"), "utf8")}`,
    );
    writeFileSync(
      join(folder, "log-in.ts"),
      `enum Field { Password = "#password" }
export async function logIn(page: { title(): Promise<string> }) {
  await page.title();
  throw new TypeError(\`no \${Field.Password} for \${process.env["PASSWORD"]}\`);
}
`,
    );
    const line = ["record", url, ...byScript];
    const failed = await runBearhug(line, folder, { PASSWORD: "tuCo-7Rabbits" });
    expect(failed).toMatchObject({
      exitCode: 104,
      stderr: `bearhug: log-in.ts:4:9: TypeError: no #password for ***

  2 | export async function logIn(page: { title(): Promise<string> }) {
  3 |   await page.title();
> 4 |   throw new TypeError(\`no \${Field.Password} for \${process.env["PASSWORD"]}\`);
    |         ^
  5 | }

    at log-in.ts:4:9
    at flow.ts:4:3
`,
    });
  });

  test.each([
    ["commonjs", "flow.ts", 'import { strictEqual } from "node:assert";', "export default"],
    ["commonjs", "flow.js", 'const { strictEqual } = require("node:assert");', "module.exports ="],
    ["module", "flow.ts", 'import { strictEqual } from "node:assert";', "export default"],
  ])("accepts a script in a project of the type %s: %s", async (type, name, head, exports) => {
    const { url } = await startServer();
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
    writeFileSync(
      join(folder, name),
      `${head}\n${exports} async (page) => { strictEqual(__dirname, ${JSON.stringify(folder)}); await page.reload(); };\n`,
    );
    const recorded = await runBearhug(["record", url, "--headless", "--script", name], folder);
    expect(recorded, recorded.stderr).toMatchObject({ exitCode: 0 });
  });

  test("names the line of a script in a project whose node_modules is a link", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "store/of/modules"), { recursive: true });
    mkdirSync(join(folder, "project"));
    symlinkSync(join(folder, "store/of/modules"), join(folder, "project/node_modules"), "junction");
    writeFileSync(join(folder, "project/flow.ts"), '\nthrow new Error("no browser for you");');
    const { stderr } = await runBearhug(["record", "x.test", ...byScript], join(folder, "project"));
    expect(stderr).toMatch(/^bearhug: flow\.ts:2:7: Error: no browser for you\n/);
  });

  test.each([
    ["export default (page) => {", /^bearhug: flow\.ts:1:27: Unexpected end of file\n$/],
    ['\nthrow new Error("no browser for you");', /^bearhug: flow\.ts:2:7: Error: no browser for you\n/],
    [
      'import { x } from "no-such-package";\nexport default () => x;',
      /^bearhug: --script flow\.ts: cannot be loaded: Error: Cannot find package 'no-such-package'[^\n]*\n$/,
    ],
    [
      "export const flow = () => 1;",
      /^bearhug: --script flow\.ts: needs a function as its default export: [^\n]+\n$/,
    ],
  ])("opens no browser for a script that cannot be loaded: %j", async (source, says) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "flow.ts"), source);
    const failed = await runBearhug(["record", "http://127.0.0.1:1", ...byScript], folder);
    expect(failed.exitCode).toBe(104);
    expect(failed.stderr).toMatch(says);
  });

  test("says which page cannot be opened", async () => {
    const folder = folderWith("");
    const failed = await runBearhug(["record", "http://127.0.0.1:1", ...byScript], folder);
    expect(failed.exitCode).toBe(104);
    expect(failed.stderr).toMatch(/^bearhug: http:\/\/127\.0\.0\.1:1\/ cannot be opened: net::ERR_\w+/);
  });
});

test.for([
  [
    ["x.test", "--headless"],
    {},
    ["--headless: needs --script, because a headless browser has no window to click in."],
  ],
  [
    ["http://u:p@x.test"],
    { DISPLAY: ":0" },
    ["<url>: leave out the user and password, and log in while the visit is recorded."],
  ],
  [["x.test", "--script", "no.ts"], { DISPLAY: ":0" }, ["--script no.ts: there is no such file."]],
  [
    ["x.test", "--browser", "netscape"],
    { DISPLAY: ":0" },
    ["--browser netscape: was not found. Use chrome, edge, chromium, or the path of one."],
  ],
  [
    ["x.test", "--browser", process.execPath],
    { DISPLAY: "", WAYLAND_DISPLAY: "" },
    [
      "There is no display for a window (neither DISPLAY nor WAYLAND_DISPLAY is set). Record with --headless --script flow.ts.",
    ],
  ],
] as const)("bearhug record %j, with %j, is refused", async ([line, environment, problems]) => {
  const refused = await runBearhug(["record", ...line], temporaryFolder(), environment);
  expect(refused.exitCode).toBe(104);
  expect(refused.stderr).toBe(problems.map((problem) => `bearhug: ${problem}\n`).join(""));
});
