import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { command } from "../command.ts";
import { runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

async function oneRequest(): Promise<string> {
  const server = await startServer();
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    one: { executor: "shared-iterations", vus: 1, iterations: 1, exec: async ({ http }) => { await http.get("/"); } },
  },
});`);
}

/** Returns the path of a file, of nothing, or of a folder that refuses new files. */
function unusable(kind: "missing" | "file" | "readOnly"): string {
  const path = join(temporaryFolder(), "there");
  if (kind === "file") writeFileSync(path, "");
  if (kind === "readOnly") {
    mkdirSync(path);
    chmodSync(path, 0o555);
  }
  return path;
}

describe("an unusable temporary folder is reported with a remedy:", () => {
  test.each([
    ["missing", "does not exist"],
    ["file", "is not a folder"],
  ] as const)("%s", async (kind, why) => {
    const path = unusable(kind);
    const file = await oneRequest();
    const { exitCode, stdout, stderr } = await runBearhug(["run", file], undefined, { TMPDIR: path });
    expect(stderr).toBe(
      `bearhug: The temporary folder ${path} ${why}. Set TMPDIR to a folder that can be written to.\n`,
    );
    expect([exitCode, stdout]).toEqual([104, ""]);
  });

  test("there, but refusing new files", async () => {
    // Root may write into every folder but those of the kernel.
    const path = existsSync("/proc/self") ? "/proc" : unusable("readOnly");
    const { exitCode, stderr } = await runBearhug(["run", await oneRequest()], undefined, { TMPDIR: path });
    expect(stderr).toMatch(/^bearhug: The temporary folder \S+ cannot be written to \(E\w+\)\. Set TMPDIR /);
    expect(exitCode).toBe(104);
  });
});

describe("a run succeeds, and says that it could not be recovered, if its cache folder", () => {
  test.each(["file", "/proc/none"])("is unusable: %s", async (kind) => {
    const path = kind === "file" ? unusable("file") : kind;
    const { exitCode, stderr } = await runBearhug(["run", await oneRequest()], undefined, {
      XDG_CACHE_HOME: path,
    });
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toMatch(
      /bearhug: this run continues, but if it is killed, its results from now on are lost: /,
    );
  });
});

describe("a run leaves nothing in the current folder if", () => {
  test.each([
    ["HOME is empty", { HOME: "", XDG_CACHE_HOME: "" }],
    ["XDG_CACHE_HOME is relative and HOME is, too", { HOME: "home", XDG_CACHE_HOME: "cache" }],
  ])("%s", async (_name, environment) => {
    const folder = temporaryFolder();
    const file = await oneRequest();
    const { exitCode, stderr } = await runBearhug(["run", file], folder, environment);
    expect(exitCode, stderr).toBe(0);
    expect(["home", "cache", ".cache"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
  });
});

test("a current folder that was deleted is reported in a sentence", async () => {
  const line = [process.execPath, command, "run", await oneRequest()];
  const { status, stdout, stderr } = spawnSync("sh", ["-c", 'rmdir "$PWD" && exec "$@"', "sh", ...line], {
    cwd: mkdtempSync(join(tmpdir(), "bearhug-gone-")),
    encoding: "utf8",
  });
  expect(stderr).toBe(
    "bearhug: The current folder does not exist any more. Change into another folder and try again.\n",
  );
  expect([status, stdout]).toEqual([104, ""]);
});

test.each([2, 0])(
  "a thrown error keeps its place if node_modules is a symlink (--workers %i)",
  async (workers) => {
    const server = await startServer();
    const folder = temporaryFolder();
    const store = temporaryFolder();
    symlinkSync(store, join(folder, "node_modules"), "junction");
    writeFileSync(
      join(folder, "shop.ts"),
      `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    one: { executor: "shared-iterations", vus: 1, iterations: 1, exec: async ({ http }) => {
      await http.get("/");
      throw new Error("sold out");
    } },
  },
});`,
    );
    const { exitCode, stdout } = await runBearhug(["run", "shop.ts", "--workers", String(workers)], folder);
    expect(stdout).toContain("Error: sold out at");
    expect(stdout).toContain("shop.ts:7:13");
    expect(exitCode).toBe(99);
    // The bundle was made in the target of the link, and has been removed.
    expect(readdirSync(join(store, ".cache", "bearhug"))).toEqual([]);
  },
);

test.each([[[]], [["--workers", "0"]]])(
  "NODE_OPTIONS=--enable-source-maps: an error has its line and the lines around it (%j)",
  async (options) => {
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  scenarios: {
    one: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: () => {
        throw new Error("no");
      },
    },
  },
});`);
    const run = await runBearhug(["run", file, ...options], undefined, {
      NODE_OPTIONS: "--enable-source-maps",
    });
    expect(run.stdout).toMatch(/Error: no at \S*test\.ts:7:15\n(?:.*\n)* *> 7 \| +throw new Error\("no"\);/);
    expect(run.exitCode).toBe(99);
  },
);
