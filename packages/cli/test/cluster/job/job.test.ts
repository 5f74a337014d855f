import { mkdirSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { executeRun } from "@bearhug/engine/run/conduct-run";
import { Interruptions } from "@bearhug/engine/run/interruptions";
import { loadModule, loadUrl } from "@bearhug/engine/run/load-test";
import { launchInThisThread } from "@bearhug/engine/worker/launch-in-this-thread";
import type { BundlePosition } from "@bearhug/metrics/error-log";
import { readRunOptions, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { packJob, type PackedJob } from "../../../src/cluster/job/pack-job.ts";
import { openJob, writeJob } from "../../../src/cluster/job/stored-job.ts";
import { unpackJob, type UnpackedJob } from "../../../src/cluster/job/unpack-job.ts";
import { launcherFor } from "../../../src/run/launcher-for.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";
import { startServer } from "../../end-to-end/test-server.ts";

const source = `
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { csv, defineTest } from "@bearhug/sdk";
import { fail } from "./parts/fail.ts";
const beside = readFileSync(new URL("./data/beside.txt", import.meta.url), "utf8");
const joined = readFileSync(join(import.meta.dirname, "data", "jöined.txt"), "utf8");
export default defineTest({
  baseUrl: "http://127.0.0.1:9",
  env: { PART: {}, SHOP_TOKEN: { secret: true } },
  feeds: { users: csv("data/users.csv") },
  scenarios: {
    visits: {
      executor: "per-vu-iterations", vus: 1, iterations: 2,
      exec: async ({ http, env, feeds }) => {
        await http.get("/" + env.PART + "/" + beside + "/" + joined + "/" + feeds.users.next().name + "/" + env.SHOP_TOKEN);
        fail();
      },
    },
  },
});
`;

const project = {
  "package.json": "{}",
  "tests/shop.ts": source,
  "tests/parts/fail.ts": `export function fail(): void {\n  throw new Error("sold out");\n}\n`,
  "tests/data/beside.txt": "beside",
  "tests/data/jöined.txt": "joined",
  "tests/data/users.csv": "name\nada\ngrace\n",
  "tests/data/unnamed.txt": "nobody names this file",
};

/** Returns the folder of a project with these files. */
function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), "project");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function packed(
  workingFolder: string,
  file: string,
  written: WrittenOptions,
  files: readonly string[] = [],
): Promise<PackedJob> {
  const loaded = await loadModule(join(workingFolder, file));
  onTestFinished(() => {
    loaded.remove();
  });
  const options = readRunOptions(written, []);
  return packJob({ loaded: { ...loaded, file }, options, files, workingFolder });
}

async function unpacked({ description, read }: PackedJob): Promise<UnpackedJob> {
  const job = await unpackJob(description, read);
  onTestFinished(() => {
    job.loaded.remove();
  });
  return job;
}

/** Returns the position of a text in the bundle, as stack traces give it. */
function placeOf({ loaded: { source } }: UnpackedJob, text: string): BundlePosition {
  const lines = source.kind === "module" ? readFileSync(source.bundlePath, "utf8").split("\n") : [];
  const line = lines.findIndex((one) => one.includes(text));
  return { line: line + 1, column: (lines[line]?.indexOf(text) ?? -1) + 1 };
}

async function run({ loaded, options }: UnpackedJob): Promise<TestResult> {
  return executeRun({
    loaded,
    options,
    launch: loaded.source.kind === "url" ? await launcherFor(loaded, null) : launchInThisThread,
    interruptions: new Interruptions(),
    observer: { onLog: () => undefined, onWarning: () => undefined },
    recorder: null,
  });
}

test("a packed test runs without the files it was packed from, and its errors point to its sources", async () => {
  const server = await startServer();
  const folder = projectWith(project);
  process.env["SHOP_TOKEN"] = "letmein-1";
  onTestFinished(() => {
    delete process.env["SHOP_TOKEN"];
  });
  const job = await packed(folder, "tests/shop.ts", { target: server.url, env: ["PART=shoes"] });
  const stored = join(temporaryFolder(), "job");
  await writeJob(stored, job);
  renameSync(folder, `${folder}-gone`);
  delete process.env["SHOP_TOKEN"];
  const received = await unpacked(await openJob(stored));
  const result = await run(received);
  expect([...server.counts.keys()].toSorted()).toEqual([
    "GET /shoes/beside/joined/ada/letmein-1",
    "GET /shoes/beside/joined/grace/letmein-1",
  ]);
  const place = placeOf(received, "new Error(");
  const located = received.loaded.locate(place);
  expect(located?.source).toEqual({ file: "tests/parts/fail.ts", line: 2, column: 9 });
  expect(located?.frame).toContain('throw new Error("sold out")');
  expect(JSON.stringify(result)).not.toContain("letmein-1");
  expect(received.workingFolder).not.toContain("project-gone");
  received.loaded.remove();
  expect(() => readdirSync(received.workingFolder)).toThrow("ENOENT");
});

test("only the files that a test names and those that the user adds are sent", async () => {
  const folder = projectWith(project);
  const sent = async (files: readonly string[]): Promise<string[]> => {
    const job = await packed(folder, "tests/shop.ts", {}, files);
    return job.files.map(({ path }) => path).toSorted();
  };
  const named = ["beside.txt", "jöined.txt", "users.csv"].map((name) => `files/tests/data/${name}`);
  expect(await sent([])).toEqual(["bundle/shop.mjs", "bundle/shop.mjs.map", ...named]);
  expect(await sent(["tests/data/unnamed.txt"])).toContain("files/tests/data/unnamed.txt");
  await expect(sent(["tests/data/unknown.txt"])).rejects.toThrow(
    "--send tests/data/unknown.txt: there is no such file.",
  );
});

test("a file is sent that the environment names, where a line of --env-from is empty", async () => {
  const line = `export default { env: { PHOTO: { optional: true }, LIST: {} }, scenarios: {} };`;
  const folder = projectWith({
    "package.json": "{}",
    "t.ts": line,
    ".env": "PHOTO=\nLIST=new.csv\n",
    "cat.jpg": "cat",
    "new.csv": "",
    "old.csv": "",
  });
  vi.stubEnv("PHOTO", "cat.jpg");
  vi.stubEnv("LIST", "old.csv");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { files } = await packed(folder, "t.ts", { envFile: join(folder, ".env") });
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(["files/cat.jpg", "files/new.csv"]));
  expect(files.map(({ path }) => path)).not.toContain("files/old.csv");
});

test("the test of a URL is sent with its request and certificates", async () => {
  const server = await startServer();
  const authority = join(temporaryFolder(), "ca.pem");
  const pem = "-----BEGIN CERTIFICATE-----";
  writeFileSync(authority, pem);
  const request = { method: "POST", url: `${server.url}/in`, headers: [], body: new Uint8Array([0, 255]) };
  const order = { files: [], workingFolder: temporaryFolder() };
  const pack = (written: WrittenOptions): Promise<PackedJob> =>
    packJob({ ...order, loaded: loadUrl(request), options: readRunOptions(written, []) });
  const result = await run(await unpacked(await pack({ iterations: "3", vus: "1" })));
  expect(result.accounting.iterations.completed).toBe(3);
  expect([...server.counts]).toEqual([["POST /in", 3]]);
  const { options } = await unpacked(await pack({ ca: authority }));
  expect(options.http.ca).toBe(pem);
  const pfx = join(temporaryFolder(), "client.p12");
  writeFileSync(pfx, Buffer.from("3080020103", "hex"));
  const sent = (await unpacked(await pack({ cert: pfx, pass: "swordfish" }))).options.http.client;
  expect(sent?.cert).toBe("-----BEGIN PKCS12-----\nMIACAQM=\n-----END PKCS12-----\n");
  expect(sent).toMatchObject({ key: null, passphrase: "swordfish" });
  await expect(pack({ ca: "/nowhere.pem" })).rejects.toThrow(
    "--ca /nowhere.pem: cannot be read (ENOENT), so it cannot be sent to the agents.",
  );
});

test("files that are too large to send are reported without reading them", async () => {
  const folder = projectWith(project);
  // A sparse file takes no space on the disk.
  truncateSync(join(folder, "tests/data/users.csv"), 3 * 2 ** 30);
  await expect(packed(folder, "tests/shop.ts", {})).rejects.toThrow(
    /The files that the test needs have .*; tests\/data\/users\.csv has .*\. Agents are sent at most /,
  );
});

test("a file that changed after it was packed is refused, and nothing is left behind", async () => {
  const folder = projectWith(project);
  const { description, read } = await packed(folder, "tests/shop.ts", {});
  writeFileSync(join(folder, "tests/data/users.csv"), "name\nmallory\n");
  const temporary = temporaryFolder();
  for (const variable of ["TMPDIR", "TEMP"]) vi.stubEnv(variable, temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(unpackJob(description, read)).rejects.toThrow(
    "tests/data/users.csv: did not arrive as it was when the test was packed. It may have changed since: start the run again.",
  );
  await expect(
    unpackJob(description.replace("files/tests/data/users.csv", "../users.csv"), read),
  ).rejects.toThrow('The job has a file outside its folder: "../users.csv".');
  const older = description.replace(/"version":"[^"]*"/, '"version":"0.0.1"');
  await expect(unpackJob(older, read)).rejects.toThrow(
    "The coordinator runs bearhug 0.0.1, and this machine ",
  );
  expect(readdirSync(temporary)).toEqual([]);
});

/** Packs a test with these lines, in a project with these files. */
async function packedWith(
  lines: readonly string[],
  files: Readonly<Record<string, string>>,
  sent: readonly string[] = [],
): Promise<PackedJob> {
  const folder = projectWith({ "package.json": "{}", ...files, "tests/t.ts": lines.join("\n") });
  return packed(folder, "tests/t.ts", {}, sent);
}

test("modules that a test chooses as it runs and files that packages resolve are sent", async () => {
  const server = await startServer();
  const folder = projectWith({
    "package.json": "{}",
    "tests/t.ts": `
      import { defineTest } from "@bearhug/sdk";
      import { worker } from "looks";
      const { path } = await import(\`./stages/\${["peak"][0]}.ts\`);
      export default defineTest({
        scenarios: {
          s: {
            executor: "per-vu-iterations", vus: 1, iterations: 1,
            exec: async ({ http }) => { await http.get(path + "/" + worker.split("/").slice(-2).join("/")); },
          },
        },
      });`,
    "tests/stages/peak.ts": 'enum Path { Peak = "/peak" } export const path: string = Path.Peak;',
    "node_modules/looks/index.js": `
      exports.worker = require.resolve("./worker.js");
      exports.open = () => require("no-such-driver");`,
    "node_modules/looks/worker.js": "",
  });
  const job = await packed(folder, "tests/t.ts", { target: server.url });
  expect(job.files.map(({ path }) => path)).toContain("files/node_modules/looks/worker.js");
  const stored = join(temporaryFolder(), "job");
  await writeJob(stored, job);
  renameSync(folder, `${folder}-gone`);
  await run(await unpacked(await openJob(stored)));
  expect([...server.counts.keys()]).toEqual(["GET /peak/looks/worker.js"]);
});

describe("code that cannot be sent to agents is refused by name:", () => {
  test("native code that the test imports, unless its importer works without it", async () => {
    const native = 'module.exports = require("./build/code.node");';
    const files = {
      "node_modules/native/index.js": native,
      "node_modules/native/build/code.node": "",
      "node_modules/socket/index.js":
        "exports.open = () => { try { return require('native'); } catch { return null; } };",
    };
    await expect(packedWith(["", 'import "native";'], files)).rejects.toThrow(
      /t\.ts:2:1: The package native has native code, which is built for one kind of machine, so it cannot be sent to others\. /,
    );
    const bound = { "node_modules/bound/index.js": 'module.exports = require("bindings")("code");' };
    await expect(packedWith(['import "bound";'], bound)).rejects.toThrow("The package bound has native code");
    const { files: sent } = await packedWith(['import { open } from "socket"; export default open;'], files);
    expect(sent.map(({ path }) => path)).toContain("bundle/t.mjs");
  });

  test("the resolved path of a package's file, and a module that is named only at run time", async () => {
    const lines = [
      'export const address = import.meta.resolve("node:fs") + require.resolve("installed");',
      "export const load = () => import(process.env.STAGE_FILE as string);",
      'const driver = "installed";',
      "export const loadDriver = () => import(driver);",
    ];
    const files = { "node_modules/installed/index.js": "", "tests/stage.ts": "export default 1;" };
    const error: unknown = await packedWith(lines, files).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      problems: [
        expect.stringMatching(/t\.ts:1:57: "installed" is a file of this machine, /),
        expect.stringMatching(/t\.ts:2:27: The test chooses this module as it runs, so it cannot be sent/),
        expect.stringMatching(/t\.ts:4:33: The package installed is chosen as the test runs, /),
      ],
    });
    const { files: sent } = await packedWith(lines.slice(1, 2), files, ["tests/stage.ts"]);
    expect(sent.map(({ path }) => path)).toContain("files/tests/stage.ts");
  });
});
