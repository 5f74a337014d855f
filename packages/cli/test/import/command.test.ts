import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { runBearhug, startBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { entryOf, password, visit, writeCapture } from "./shop-capture.ts";

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function read(...path: string[]): string {
  return readFileSync(join(...path), "utf8");
}

test("without -o the test goes to stdout and the notes to stderr, and no file is written", async () => {
  const folder = temporaryFolder();
  const { exitCode, stdout, stderr } = await runBearhug(["import", writeCapture(folder)], folder);
  expect(stderr).toMatch(/ skipped.*\. --explain shows what was skipped and why\.\n/);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`import { defineTest`);
  expect(stdout).toContain("https://shop.test");
  expect(stdout).not.toContain("partner.com");
  expect(stderr).toContain("\nSet these before running: SITE_USER, PASSWORD\n");
  expect(stdout + stderr).not.toContain(password);
  expect(filesIn(folder)).toEqual(["shop.har"]);
});

describe("with -o", () => {
  test("the test and its variables are written into a new folder, and the next commands are printed", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    const { exitCode, stdout, stderr } = await runBearhug(
      ["import", "shop.har", "-o", "load/my shop.ts"],
      folder,
    );
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toBe("");
    expect(filesIn(folder)).toEqual(["load/.env.example", "load/my shop.ts", "shop.har"]);
    expect(stderr).toContain("wrote load/my shop.ts, load/.env.example\n");
    expect(stderr).toContain(`
Next:
  cp load/.env.example load/.env  # and fill it in
  npx bearhug run 'load/my shop.ts' --env-from load/.env
`);
    expect(read(folder, "load/my shop.ts")).toContain("env.");
    expect(read(folder, "load/.env.example")).toMatch(/^# .*\n\w+=\n/);
  });

  test("the next commands are quoted for a shell", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    const output = join("my load", "it's $HOME.ts");
    const { stderr } = await runBearhug(["import", "shop.har", "-o", output], folder);
    const [, commands = ""] = stderr.split("\nNext:\n");
    const script = `cp() { printf '%s\\n' "$@"; }\nnpx() { cp "$@"; }\n${commands}`;
    expect(execFileSync("sh", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n")).toEqual([
      join("my load", ".env.example"),
      join("my load", ".env"),
      "bearhug",
      "run",
      output,
      "--env-from",
      join("my load", ".env"),
    ]);
  });

  test("only the first of many variables are named, and the file that lists them all", async () => {
    const folder = temporaryFolder();
    const logins = Array.from({ length: 13 }, (_, index) =>
      entryOf(`https://shop.test/login/${index}`, {
        method: "POST",
        atMs: index * 1000,
        form: { [`pin${index}_password`]: `Geheim-${index}-${index * 7919}!x` },
      }),
    );
    const capture = writeCapture(folder, logins);
    const { stderr } = await runBearhug(["import", capture, "-o", "load/shop.ts"], folder);
    expect(read(folder, "load/.env.example").match(/^\w+=$/gm)).toHaveLength(13);
    expect(stderr).toMatch(/^Set these before running: (\w+, ){7}\w+ and 5 more\n/m);
    expect(stderr).toContain("  cp load/.env.example load/.env  # and fill it in\n");
  });

  test("the same capture gives the same bytes", async () => {
    const folder = temporaryFolder();
    const capture = writeCapture(folder);
    await Promise.all(
      ["a", "b"].map((name) => runBearhug(["import", capture, "-o", `${name}/shop.ts`], folder)),
    );
    expect(read(folder, "a/shop.ts")).toBe(read(folder, "b/shop.ts"));
    expect(read(folder, "a/.env.example")).toBe(read(folder, "b/.env.example"));
  });

  test("values that vary become a data file beside the test; without -o the message names that file", async () => {
    const folder = temporaryFolder();
    const capture = writeCapture(folder);
    const line = ["import", capture, "--parameterize"];
    const written = await runBearhug([...line, "-o", "load/shop.ts"], folder);
    expect(written.exitCode, written.stderr).toBe(0);
    const data = filesIn(folder).filter((name) => name.startsWith("load/data/"));
    expect(data).toHaveLength(1);
    expect(read(folder, data[0] ?? "")).toMatch(/shoes[^]*hats[^]*gloves/);
    const shown = await runBearhug(line, folder);
    expect(shown.stderr).toContain(`, which -o writes: ${data[0]?.slice("load/".length)}\n`);
  });

  test("an existing .env.example is kept, and missing variables are appended", async () => {
    const folder = temporaryFolder();
    const capture = writeCapture(folder);
    await runBearhug(["import", capture, "-o", "a/shop.ts"], folder);
    const [block = "", ...others] = read(folder, "a/.env.example").trimEnd().split("\n\n");
    const name = /^(\w+)=/m.exec(block)?.[1] ?? "";
    const mine = `# mine\n${name}=jane\nOTHER=1`;
    writeFileSync(join(folder, ".env.example"), mine);

    const { exitCode, stderr } = await runBearhug(["import", capture, "-o", "shop.ts"], folder);
    expect(exitCode, stderr).toBe(0);
    expect(read(folder, ".env.example")).toBe(`${[mine, ...others].join("\n\n")}\n`);
    await runBearhug(["import", capture, "-o", "shop.ts", "--force"], folder);
    expect(read(folder, ".env.example")).toBe(`${[mine, ...others].join("\n\n")}\n`);
  });
});

describe("output for people", () => {
  test("--explain prints what the import understood, instead of the test", async () => {
    const folder = temporaryFolder();
    const line = ["import", writeCapture(folder), "--explain"];
    const { exitCode, stdout, stderr } = await runBearhug(line, folder);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^first party: https:\/\/shop\.test\n/);
    expect(stdout).toContain("api.partner.com: third party\n");
    expect(stdout).toContain("www.google-analytics.com: analytics or advertising\n");
    expect(stdout).toMatch(/\nset these before running\n {2}[A-Z_]+ +\S/);
    expect(stdout).not.toContain("defineTest");
    expect(stderr).toBe("");
  });

  test("one import can write the test, the explanation, a waterfall page and a redacted capture", async () => {
    const folder = temporaryFolder();
    const capture = writeCapture(folder);
    const outputs = [
      "-o",
      "shop.ts",
      "--explain",
      "--waterfall",
      "look/shop.html",
      "--redact-har",
      "clean.har",
    ];
    const { exitCode, stdout, stderr } = await runBearhug(["import", capture, ...outputs], folder);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain("first party: https://shop.test");
    const files = filesIn(folder);
    expect(files).toEqual([".env.example", "clean.har", "look/shop.html", "shop.har", "shop.ts"]);
    expect(read(folder, "look/shop.html")).toMatch(/^<!doctype html>/);
    expect(JSON.parse(read(folder, "clean.har"))).toMatchObject({
      log: { entries: { length: visit.length } },
    });
    for (const name of files.filter((file) => file !== "shop.har"))
      expect(read(folder, name), name).not.toContain(password);
  });

  test("with only --waterfall, nothing goes to stdout", async () => {
    const folder = temporaryFolder();
    const line = ["import", writeCapture(folder), "--waterfall", "w.html"];
    const { exitCode, stdout, stderr } = await runBearhug(line, folder);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toContain("wrote w.html\n");
    expect(stderr).not.toContain("Next:");
  });
});

describe("a selection", () => {
  test("picks requests by hosts (several in one option), patterns and types", async () => {
    const folder = temporaryFolder();
    const line = ["import", writeCapture(folder), "--explain", "--hosts", "api.partner.com, *.cdn.net"];
    const { stdout } = await runBearhug(
      [...line, "--skip", "*.css", "--skip", "/login", "--only", "type:fetch", "--only", "/"],
      folder,
    );
    expect(stdout.match(/(GET|POST) \S+(?= +200 )/g)).toEqual([
      "GET /",
      "GET https://api.partner.com/stock",
      "GET /search?q",
      "GET /search?q",
      "GET /search?q",
    ]);
    expect(stdout).toContain("--hosts *.cdn.net: the capture has no request to a matching host.\n");
  });

  test("can drop static files, and --pages-per-second sets the rate", async () => {
    const folder = temporaryFolder();
    const line = ["import", writeCapture(folder), "--static", "drop", "--pages-per-second", "1.1"];
    const { stdout } = await runBearhug(line, folder);
    expect(stdout).not.toContain("app.css");
    expect(stdout).toContain("1.1");
    expect(stdout).toContain("constant-arrival-rate");
  });

  test("that leaves nothing to replay is refused", async () => {
    const folder = temporaryFolder();
    const line = ["import", writeCapture(folder), "--only", "/nothing", "-o", "shop.ts"];
    const { exitCode, stderr } = await runBearhug(line, folder);
    expect(exitCode).toBe(104);
    expect(stderr).toMatch(
      /^bearhug: shop\.har: The capture has nothing to replay\. Skipped: .*\(--only\).*\.\n$/,
    );
    expect(existsSync(join(folder, "shop.ts"))).toBe(false);
  });
});

test("a reader that closes stdout early is no error", async () => {
  const folder = temporaryFolder();
  const many = Array.from({ length: 3000 }, (_, index) =>
    entryOf(`https://shop.test/${index}`, { atMs: index * 10, type: "fetch" }),
  );
  const running = startBearhug(["import", writeCapture(folder, many), "--explain"], folder);
  running.child.stdout.once("data", () => running.child.stdout.destroy());
  const { exitCode, stderr } = await running;
  expect(exitCode, stderr).toBe(0);
  expect(stderr).not.toContain("EPIPE");
});

test("no field of a capture chooses a path or reaches the terminal as anything but text", async () => {
  const folder = temporaryFolder();
  const evil = "../../evil/\u001b[31m\u0000\u202ename";
  const entries = ["a", "b", "c", "d"].map((value, index) => ({
    ...entryOf(`https://shop.test/${evil}?${evil}=${value}`, {
      atMs: index * 3000,
      method: "POST",
      type: "fetch",
      form: { [evil]: value, __proto__: evil },
      headers: { [`x-${evil}`]: evil },
    }),
    pageref: evil,
    _resourceType: "xhr",
  }));
  const capture = join(folder, "in", "evil.har");
  const pages = [{ id: evil, title: evil, startedDateTime: evil, pageTimings: {} }];
  writeFileSync(
    join(folder, "evil.har"),
    JSON.stringify({ log: { pages, entries: [...entries, { request: evil }] } }),
  );
  const line = ["import", "evil.har", "--parameterize", "-o", "in/out/t.ts", "--redact-har", "in/out/r.har"];
  const { exitCode, stdout, stderr } = await runBearhug([...line, "--explain"], folder);
  expect(exitCode, stderr).toBe(0);
  expect(existsSync(capture)).toBe(false);
  for (const name of filesIn(folder))
    expect(name).toMatch(/^(evil\.har|in\/out\/(t\.ts|r\.har|\.env\.example|data\/\w+\.json))$/);
  expect(stdout + stderr).not.toMatch(/[[\p{Cc}\u202e]--\n]/v);
});
