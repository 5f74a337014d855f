import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";

import { describe, expect, onTestFinished, test } from "vitest";

import { command } from "../command.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import type { Ended } from "../kept-process/command-line.ts";
import { entryOf, password, writeCapture } from "./shop-capture.ts";

const line = ["import", "shop.har", "-o", "load/shop.ts", "--with-values"];

function folderWithCapture(isRepository: boolean): string {
  const folder = temporaryFolder();
  writeCapture(folder);
  if (isRepository) git(folder, "init", "--quiet");
  return folder;
}

function git(folder: string, ...arguments_: readonly string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return execFileSync("git", arguments_, { cwd: folder, env, encoding: "utf8" });
}

function expectNothingWritten(folder: string, { exitCode, stdout, stderr }: Ended): void {
  expect(exitCode, stderr).toBe(104);
  expect(stdout).toBe("");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(existsSync(join(folder, "load", "shop.ts"))).toBe(false);
}

interface Received {
  readonly body: string;
  readonly authorization: string | undefined;
}

/** Starts a site that stores the requests it receives. */
async function startSite(): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, authorization: request.headers.authorization });
      response.end();
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe("import --with-values", () => {
  test("writes the recorded values to a .env that only its owner can read, and shows none of them", async () => {
    const folder = folderWithCapture(false);
    const { exitCode, stdout, stderr } = await runBearhug(line, folder);
    expect(exitCode, stderr).toBe(0);
    const file = join(folder, "load", ".env");
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ SITE_USER: "jane", PASSWORD: password });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(stdout + stderr).not.toContain(password);
    expect(readFileSync(join(folder, "load", "shop.ts"), "utf8")).not.toContain(password);
    expect(stderr).toContain("load/.env holds the recorded secrets: keep it to yourself.\n");
    expect(stderr).toContain("Next: npx bearhug run load/shop.ts --env-from load/.env\n");
    expect(stderr).not.toContain("Set these before running");
  });

  test("keeps the values of an existing .env, and fills in the empty ones", async () => {
    const folder = folderWithCapture(false);
    const file = join(folder, ".env");
    writeFileSync(file, "# mine\nREGION=eu\nPASSWORD=");
    chmodSync(file, 0o644);
    const { exitCode, stderr } = await runBearhug(
      ["import", "shop.har", "-o", "shop.ts", "--with-values"],
      folder,
    );
    expect(exitCode, stderr).toBe(0);
    const text = readFileSync(file, "utf8");
    expect(text.startsWith("# mine\nREGION=eu\nPASSWORD=\n")).toBe(true);
    expect(parseEnv(text)).toEqual({ REGION: "eu", PASSWORD: password, SITE_USER: "jane" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("changes no value of an existing .env without --force", async () => {
    const folder = folderWithCapture(false);
    writeFileSync(join(folder, ".env"), "PASSWORD=mine\n");
    const here = ["import", "shop.har", "-o", "shop.ts", "--with-values"];
    const { exitCode, stderr } = await runBearhug(here, folder);
    expect(exitCode).toBe(104);
    expect(stderr).toBe(
      "bearhug: --with-values .env: already has other values for PASSWORD. Write the test to another folder, or use --force to add the recorded values, which then take precedence.\n",
    );
    expect(readdirSync(folder).sort()).toEqual([".env", "shop.har"]);
    const forced = await runBearhug([...here, "--force"], folder);
    expect(forced.exitCode, forced.stderr).toBe(0);
    expect(parseEnv(readFileSync(join(folder, ".env"), "utf8"))).toMatchObject({ PASSWORD: password });
  });

  test("replays values of any characters byte for byte, without editing", async () => {
    const folder = temporaryFolder();
    const jwt = `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiIx".repeat(340)}.c2ln`;
    const form = { user: "zoë o'neil", password: 'two\nlines, "$HOME" #1 = \\ 秘密' };
    writeCapture(folder, [
      entryOf("https://shop.test/login", { method: "POST", form }),
      entryOf("https://shop.test/me", { atMs: 200, headers: { Authorization: `Bearer ${jwt}` } }),
    ]);
    const imported = await runBearhug(["import", "shop.har", "-o", "shop.ts", "--with-values"], folder);
    expect(imported.exitCode, imported.stderr).toBe(0);
    const site = await startSite();
    const run = ["run", "shop.ts", "--env-from", ".env", "--target", site.url];
    const { exitCode, stdout, stderr } = await runBearhug(run, folder);
    // A busy machine may take longer for a page than the test's limit.
    expect([0, 99], stdout + stderr).toContain(exitCode);
    expect(stdout).toMatch(/✓ {2}checks +rate>99% +100 %/);
    const [login, me] = site.received;
    expect(Object.fromEntries(new URLSearchParams(login?.body))).toEqual(form);
    expect(me?.authorization).toBe(`Bearer ${jwt}`);
  });

  test("keeps the values of a first capture when it adds those of a second", async () => {
    const folder = folderWithCapture(false);
    const login = entryOf("https://forum.test/login", { method: "POST", form: { pin: "0815-4711-x" } });
    writeCapture(folder, [login], "forum.har");
    for (const name of ["shop", "forum"]) {
      const ended = await runBearhug(["import", `${name}.har`, "-o", `${name}.ts`, "--with-values"], folder);
      expect(ended.exitCode, ended.stderr).toBe(0);
    }
    const values = parseEnv(readFileSync(join(folder, ".env"), "utf8"));
    expect(values).toMatchObject({ SITE_USER: "jane", PASSWORD: password });
    expect(Object.values(values)).toContain("0815-4711-x");
  });

  test("adds nothing to a .env that is not UTF-8", async () => {
    const folder = folderWithCapture(false);
    const before = Buffer.from("CITY=M\xfcnchen\n", "latin1");
    writeFileSync(join(folder, ".env"), before);
    const ended = await runBearhug(["import", "shop.har", "-o", "shop.ts", "--with-values"], folder);
    expectNothingWritten(folder, ended);
    expect(ended.stderr).toContain(
      "--with-values .env: is not UTF-8, so nothing can be added to it. Save it as UTF-8.",
    );
    expect(readFileSync(join(folder, ".env"))).toEqual(before);
  });

  test("writes no secrets through a link", async () => {
    const folder = folderWithCapture(false);
    writeFileSync(join(folder, "elsewhere"), "");
    symlinkSync("elsewhere", join(folder, ".env"));
    const ended = await runBearhug(["import", "shop.har", "-o", "shop.ts", "--with-values"], folder);
    expectNothingWritten(folder, ended);
    expect(ended.stderr).toContain("--with-values .env: exists, and is not a regular file.");
    expect(readFileSync(join(folder, "elsewhere"), "utf8")).toBe("");
  });

  test("is refused without -o, and --yes is refused without it", async () => {
    const folder = folderWithCapture(false);
    const { exitCode, stderr } = await runBearhug(["import", "shop.har", "--with-values"], folder);
    expect(exitCode).toBe(104);
    expect(stderr).toContain("--with-values: needs -o; the values go into a .env beside the test.");
    const alone = await runBearhug(["import", "shop.har", "-o", "shop.ts", "--yes"], folder);
    expect(alone.exitCode).toBe(104);
    expect(alone.stderr).toContain("--yes: only works with --with-values");
  });
});

describe.skipIf(!hasGit)("import --with-values in a git repository", () => {
  test("is refused in one sentence if git would track the file, and writes nothing", async () => {
    const folder = folderWithCapture(true);
    const ended = await runBearhug(line, folder);
    expectNothingWritten(folder, ended);
    expect(ended.stderr).toBe(
      'bearhug: --with-values load/.env: git would track this file, which would contain secrets. Use --yes to add ".env" to .gitignore.\n',
    );
  });

  test("adds .env to the nearest .gitignore with --yes, so that git does not see the file", async () => {
    const folder = folderWithCapture(true);
    writeFileSync(join(folder, ".gitignore"), "node_modules");
    const { exitCode, stderr } = await runBearhug([...line, "--yes"], folder);
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("node_modules\n.env\n");
    expect(git(folder, "status", "--porcelain", "--untracked-files=all")).not.toMatch(/\.env$/m);
    const again = await runBearhug(["import", "shop.har", "-o", "load/b.ts", "--with-values"], folder);
    expect(again.exitCode, again.stderr).toBe(0);
  });

  test("is refused even with --yes if git tracks the file already", async () => {
    const folder = folderWithCapture(true);
    writeFileSync(join(folder, ".env"), "");
    git(folder, "add", ".env");
    const here = ["import", "shop.har", "-o", "shop.ts", "--with-values", "--yes"];
    const ended = await runBearhug(here, folder);
    expectNothingWritten(folder, ended);
    expect(ended.stderr).toContain("Remove it from git first: git rm --cached .env");
  });

  test.skipIf(spawnSync("/usr/bin/script", ["--version"]).status !== 0).each([
    ["yes", 0],
    ["n", 104],
  ])("asks on a terminal, and the answer %j ends with exit code %i", (answer, exitCode) => {
    const folder = folderWithCapture(true);
    const typed = [process.execPath, command, ...line].join(" ");
    const { status, stdout } = spawnSync("/usr/bin/script", ["-qec", typed, "/dev/null"], {
      cwd: folder,
      input: `${answer}\n`,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], TERM: "xterm" },
    });
    expect(status, stdout).toBe(exitCode);
    expect(stdout).toContain('which will contain secrets. Add ".env" to .gitignore? [y/N]');
    expect(existsSync(join(folder, ".gitignore"))).toBe(exitCode === 0);
    expect(existsSync(join(folder, "load", ".env"))).toBe(exitCode === 0);
  });
});
