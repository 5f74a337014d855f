import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { command } from "../command.ts";
import type { Ended } from "../kept-process/command-line.ts";
import { temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** A user without a name, and so without a home. */
const user = 54_321;
/** The place of the project's folder in the container, as after `docker run -v $PWD:/mnt`. */
const work = "/mnt";

const asUser = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", "--no-new-privs"];

/**
 * Runs the command line as in a container: as another user, with a read-only root, and with these variables
 * only. `folder` is mounted at /mnt and can be written to, and so can /tmp if `tmp` says so.
 */
async function inContainer(
  line: readonly string[],
  folder: string,
  tmp: "tmpfs" | "read-only",
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const mounts = [
    "set -e",
    "mount --make-rprivate /",
    `mount --bind "$0" ${work}`,
    "mount -o remount,bind,ro /",
    tmp === "tmpfs" ? "mount -t tmpfs -o mode=1777 tmpfs /tmp" : "mount -t tmpfs -o mode=1777,ro tmpfs /tmp",
    `cd ${work}`,
    `exec "$@"`,
  ].join("\n");
  const inside = [
    ...asUser,
    "env",
    "-i",
    "NO_COLOR=1",
    "BEARHUG_ALLOW_SATURATED=true",
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    process.execPath,
    command,
  ];
  const child = spawn("unshare", ["-m", "sh", "-c", mounts, folder, ...inside, ...line], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  await once(child, "close");
  return { exitCode: child.exitCode, stdout, stderr };
}

/** Returns the reason why this system cannot imitate a container, or null if it can. */
function whyNoContainer(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root can become another user";
  if (!existsSync(work)) return `there is no ${work}`;
  if (spawnSync("unshare", ["-m", "mount", "--make-rprivate", "/"]).status !== 0)
    return "nothing can be mounted here";
  const reads = [...asUser, "test", "-r", command];
  return spawnSync(reads[0] ?? "", reads.slice(1)).status === 0
    ? null
    : "other users cannot read the command";
}

const missing = whyNoContainer();

/** Creates a folder with a test, in which every user may write. */
async function project(): Promise<{
  readonly folder: string;
  readonly url: string;
  readonly sent: () => number;
}> {
  const server = await startServer();
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  writeFileSync(
    join(folder, "shop.ts"),
    `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    one: { executor: "shared-iterations", vus: 1, iterations: 1, exec: async ({ http }) => { await http.get("/"); } },
  },
});`,
  );
  return { folder, url: `${server.url}/`, sent: server.total };
}

describe.skipIf(missing !== null)(`in a container${missing === null ? "" : ` (${missing})`}`, () => {
  test("doctor names the folders of a user without a name, and empties them", async () => {
    const { folder } = await project();
    const { exitCode, stdout, stderr } = await inContainer(["doctor", "--clean"], folder, "tmpfs");
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain(`/tmp/bearhug-compile-cache-${user}`);
  });

  test.for([
    ["no HOME", {}],
    // As Docker sets it for a user without a name.
    ["HOME=/", { HOME: "/" }],
  ] as const)(
    "a run of another user with %s works, and is recorded where that user may write",
    async ([, environment]) => {
      const { folder } = await project();
      const line = ["run", "shop.ts", "--out", "json=results/r.json"];
      const { exitCode, stderr } = await inContainer(line, folder, "tmpfs", environment);
      // stderr may mention that the machine is busy, but no file or folder.
      expect(stderr).not.toMatch(/EROFS|EACCES|lost/);
      expect(exitCode, stderr).toBe(0);
      expect(readFileSync(join(folder, "results/r.json"), "utf8")).toContain(`"verdict": "passed"`);
    },
  );

  test("without a place for temporary files, a run of a test names the folder that it needs", async () => {
    const { folder, sent } = await project();
    const { exitCode, stdout, stderr } = await inContainer(["run", "shop.ts"], folder, "read-only");
    expect(stderr).toBe(
      "bearhug: The temporary folder /tmp cannot be written to (EROFS). Set TMPDIR to a folder that can be written to.\n",
    );
    expect([exitCode, stdout, sent()]).toEqual([104, "", 0]);
  });

  test("a run of an address needs no such place, and says in one sentence that its results would be lost if it is killed", async () => {
    const { folder, url } = await project();
    const { exitCode, stderr } = await inContainer([url, "-n", "5"], folder, "read-only");
    expect(stderr).toMatch(
      /^bearhug: this run continues, but if it is killed, its results from now on are lost: EROFS: .+'\/tmp\/bearhug-54321'$/m,
    );
    expect(exitCode).toBe(0);
  });

  test("a report in a folder of another user is refused before the run: 104, one sentence, nothing sent", async () => {
    const { folder, url, sent } = await project();
    mkdirSync(join(folder, "theirs"), { mode: 0o755 });
    const { exitCode, stdout, stderr } = await inContainer(
      [url, "-n", "5", "--out", "json=theirs/new/r.json"],
      folder,
      "tmpfs",
    );
    expect(stderr).toBe(
      "bearhug: --out json=theirs/new/r.json: this user may not write to theirs (EACCES). Choose another path.\n",
    );
    expect([exitCode, stdout, sent()]).toEqual([104, "", 0]);
  });

  test.for([
    ["tmpfs", 0],
    ["read-only", 104],
  ] as const)(
    "a report that this user may overwrite in such a folder is written in place from a copy, with /tmp %s: %i",
    async ([tmp, code]) => {
      const { folder, url, sent } = await project();
      mkdirSync(join(folder, "theirs"), { mode: 0o755 });
      const path = join(folder, "theirs/r.json");
      writeFileSync(path, "before");
      chmodSync(path, 0o666);
      const line = [url, "-n", "5", "--out", "json=theirs/r.json"];
      const { exitCode, stderr } = await inContainer(line, folder, tmp);
      expect(exitCode, stderr).toBe(code);
      if (code === 0) expect(readFileSync(path, "utf8")).toContain(`"verdict": "passed"`);
      else {
        expect(stderr).toContain(
          "the copy that is needed then cannot be made, because /tmp is on a read-only",
        );
        expect([sent(), readFileSync(path, "utf8")]).toEqual([0, "before"]);
      }
      const { uid, mode } = statSync(path);
      expect([uid, (mode & 0o777).toString(8)]).toEqual([0, "666"]);
    },
  );
});
