import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { readPageRate } from "../../src/commands/run/pages-per-second.ts";
import { command } from "../command.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { entryOf, visit, writeCapture } from "./shop-capture.ts";

function linesOf(stderr: string): string[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => line.replace("bearhug: ", ""));
}

/** Runs an import that must be refused without any other effect, and returns the lines of its message. */
async function refusal(folder: string, ...options: string[]): Promise<string[]> {
  const before = readdirSync(folder, { recursive: true });
  const { exitCode, stdout, stderr } = await runBearhug(["import", ...options], folder);
  expect(exitCode, stderr).toBe(104);
  expect(stdout).toBe("");
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  return linesOf(stderr);
}

describe("unusable options", () => {
  test("are reported all at once, together with a missing capture", async () => {
    const bad = [
      "-o",
      "shop.js",
      "--hosts",
      "https://a.test,ok.test,b c",
      "--skip-hosts",
      "a.*",
      "--only",
      "api/*",
      "--skip",
      "type:picture",
      "--static",
      "no",
      "--pages-per-second",
      "0",
      "--waterfall",
      "",
      "--redact-har",
      "folder/",
    ];
    const host = "must be a host such as api.partner.com, api.partner.com:8443 or *.cdn.net.";
    expect(await refusal(temporaryFolder(), "nowhere.har", ...bad)).toEqual([
      "There is no file nowhere.har.",
      `--hosts https://a.test: ${host}`,
      `--hosts b c: ${host}`,
      `--skip-hosts a.*: ${host}`,
      "--only api/*: must be a path (/api/*), a URL (https://host/*), a file (*.png) or type:image.",
      "--skip type:picture: must be one of type:document, stylesheet, image, font, script, media, xhr, websocket, other, fetch.",
      "--static no: must be keep or drop.",
      "--pages-per-second 0: must be a number above 0, such as 1.1.",
      "-o shop.js: the name of a test ends in .ts.",
      "--waterfall : must be the name of a file.",
      "--redact-har folder/: must be the name of a file.",
    ]);
  });

  test("of an unknown name are reported with the option that was probably meant", async () => {
    expect(await refusal(temporaryFolder(), "x.har", "--explian", "--outptu", "y.ts")).toEqual([
      "--explian: unknown option. Did you mean --explain?",
      "--outptu: unknown option. Did you mean --output?",
      "There is no file x.har.",
    ]);
    expect(await refusal(temporaryFolder())).toEqual([
      "<capture.har> is missing. See bearhug import --help.",
    ]);
  });

  test.each(["-1", "1e3", "1,5"])("include --pages-per-second %j", (rate) => {
    const problems: string[] = [];
    readPageRate(rate, problems);
    expect(problems).toEqual([`--pages-per-second ${rate}: must be a number above 0, such as 1.1.`]);
  });
});

describe("an import never overwrites by mistake", () => {
  test("an existing file, except with --force", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    for (const name of ["shop.ts", "w.html", "r.har"]) writeFileSync(join(folder, name), "mine");
    const line = ["shop.har", "-o", "shop.ts", "--waterfall", "w.html", "--redact-har", "r.har"];
    expect(await refusal(folder, ...line)).toEqual([
      "-o shop.ts: is there already; --force replaces it.",
      "--waterfall w.html: is there already; --force replaces it.",
      "--redact-har r.har: is there already; --force replaces it.",
    ]);
    const { exitCode, stderr } = await runBearhug(["import", ...line, "--force"], folder);
    expect(exitCode, stderr).toBe(0);
    for (const name of ["shop.ts", "w.html", "r.har"])
      expect(readFileSync(join(folder, name), "utf8")).not.toBe("mine");
  });

  test("an existing data file", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    const line = ["import", "shop.har", "--parameterize", "-o"];
    await runBearhug([...line, "a.ts"], folder);
    const [name = ""] = readdirSync(join(folder, "data"));
    const path = join(folder, "data", name);
    writeFileSync(path, "mine");
    const { exitCode, stderr } = await runBearhug([...line, "b.ts"], folder);
    expect(exitCode).toBe(104);
    expect(linesOf(stderr)).toEqual([`data/${name}: is there already; --force replaces it.`]);
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(readdirSync(folder)).not.toContain("b.ts");
  });

  test("the capture under another name, or one output with another, even with --force", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    symlinkSync("shop.har", join(folder, "link.har"));
    mkdirSync(join(folder, "folder.ts"));
    const line = ["shop.har", "-o", "folder.ts", "--waterfall", "x", "--redact-har", "./link.har", "--force"];
    expect(await refusal(folder, ...line)).toEqual([
      "-o folder.ts: is a folder.",
      "--redact-har ./link.har: is the capture itself.",
    ]);
    expect(await refusal(folder, "shop.har", "--waterfall", "a/../x", "--redact-har", "x")).toEqual([
      "--redact-har x: --waterfall is written there already.",
    ]);
  });

  test("the files beside the test with another output, even through a link to a folder", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "link"));
    const line = ["shop.har", "--parameterize", "-o", "link/shop.ts"];
    expect(await refusal(folder, ...line, "--waterfall", "real/.env.example")).toEqual([
      "--waterfall real/.env.example: the .env.example of -o is written there already.",
    ]);
    await runBearhug(["import", ...line], folder);
    const [name = ""] = readdirSync(join(folder, "real", "data"));
    for (const file of [`data/${name}`, ".env.example", "shop.ts"]) rmSync(join(folder, "real", file));
    expect(await refusal(folder, ...line, "--redact-har", `real/data/${name}`)).toEqual([
      `--redact-har real/data/${name}: data of -o is written there already.`,
    ]);
  });

  test("the capture through a hard link, even one with the name of a file beside the test", async () => {
    const folder = temporaryFolder();
    const before = readFileSync(writeCapture(folder));
    linkSync(join(folder, "shop.har"), join(folder, "hard.har"));
    linkSync(join(folder, "shop.har"), join(folder, ".env.example"));
    expect(await refusal(folder, "shop.har", "--redact-har", "hard.har", "--force")).toEqual([
      "--redact-har hard.har: is the capture itself.",
    ]);
    expect(await refusal(folder, "shop.har", "-o", "shop.ts", "--force")).toEqual([
      ".env.example: is the capture itself.",
    ]);
    expect(readFileSync(join(folder, "shop.har"))).toEqual(before);
  });
});

describe("a file that is not a whole capture", () => {
  test.each(["", '{"log":{"entries":[]}}', "\u0000\u0001\u001b[31m"])("is refused: %j", async (content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "x.har"), content);
    const [line = "", ...others] = await refusal(folder, "x.har", "-o", "x.ts");
    expect(line).toMatch(/^x\.har: .+\.$/);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(others).toEqual([]);
  });

  test("is refused if it is a folder", async () => {
    expect(await refusal(temporaryFolder(), ".")).toEqual([". is a folder; a capture is a .har file."]);
  });

  test("is imported up to where it was cut short, and the import says so", async () => {
    const folder = temporaryFolder();
    const whole = JSON.stringify({ log: { entries: [...visit, entryOf("https://shop.test/last")] } });
    writeFileSync(join(folder, "cut.har"), whole.slice(0, -100));
    const { exitCode, stderr } = await runBearhug(["import", "cut.har", "-o", "cut.ts"], folder);
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain("\nNot understood: $.log.entries");
    expect(readFileSync(join(folder, "cut.ts"), "utf8")).not.toContain("/last");
  });
});

describe("output that cannot be written", () => {
  test("to a full disk is reported in one sentence, and no file is left", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    const line = ["import", "shop.har", "-o", "shop.ts", "--waterfall", "/dev/full"];
    const { exitCode, stdout, stderr } = await runBearhug(line, folder);
    expect(exitCode).toBe(111);
    expect(stdout).toBe("");
    expect(stderr).toBe("bearhug import: /dev/full could not be written: ENOSPC: no space left on device.\n");
    expect(readdirSync(folder)).toEqual(["shop.har"]);
  });

  test.each([[], ["-o", "shop.ts", "--waterfall", "w.html", "--explain"]])(
    "to stdout is reported, too, and leaves no file: %j",
    (...more) => {
      const folder = temporaryFolder();
      writeCapture(folder);
      const full = openSync("/dev/full", "w");
      const line = [command, "import", "shop.har", ...more];
      const { status, stderr } = spawnSync(process.execPath, line, {
        cwd: folder,
        // The variables that CI sets for its tests must not act on the command.
        env: { PATH: process.env["PATH"] },
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
      });
      closeSync(full);
      expect(status).toBe(111);
      expect(stderr).toBe("bearhug import: stdout could not be written: ENOSPC: no space left on device.\n");
      expect(readdirSync(folder)).toEqual(["shop.har"]);
    },
  );

  test("because a file is in the place of its folder is refused", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    const { exitCode, stderr } = await runBearhug(["import", "shop.har", "-o", "shop.har/x.ts"], folder);
    expect(exitCode).toBe(104);
    expect(stderr).toBe("bearhug: -o shop.har/x.ts: shop.har is not a folder.\n");
    expect(readdirSync(folder)).toEqual(["shop.har"]);
  });

  test.skipIf(process.getuid?.() === 0)("because its folder is read-only is refused", async () => {
    const folder = temporaryFolder();
    writeCapture(folder);
    mkdirSync(join(folder, "locked"));
    chmodSync(join(folder, "locked"), 0o500);
    const { exitCode, stderr } = await runBearhug(["import", "shop.har", "-o", "locked/x.ts"], folder);
    expect(exitCode).toBe(104);
    expect(stderr).toBe("bearhug: -o locked/x.ts: this user may not write to locked (EACCES).\n");
  });
});
