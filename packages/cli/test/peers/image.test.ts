import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";

import { readJson, root } from "../../../../tools/workspace.mjs";
import { startServer } from "../end-to-end/test-server.ts";
import { startRegistry } from "../packaging/local-registry.ts";
import { packedPackages } from "../packaging/packed-packages.ts";
import { type Ended, runOrThrow } from "../packaging/run-process.ts";
import { missingTools } from "./application.ts";
import { type Bases, makeStandIns, pullBases, toolsOfStandIns } from "./base-images.ts";
import { imageBuilder, type ImageBuilder } from "./image-builder.ts";

const missing = missingTools({ tools: ["buildah", ...toolsOfStandIns] });
const lacks = missing.length === 0 ? "" : ` (needs ${missing.join(", ")})`;

const timeout = 600_000;
const dockerfile = join(root, "Dockerfile");
const { version } = z
  .object({ version: z.string() })
  .parse(readJson(join(root, "packages/cli/package.json")));

const configuration = z.object({
  OCIv1: z.object({
    config: z.object({
      User: z.string(),
      WorkingDir: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
    }),
  }),
});

const testFile = `import { defineTest } from "@bearhug/sdk";

export default defineTest({
  scenarios: {
    visitors: { executor: "shared-iterations", vus: 2, iterations: 10, exec: ({ http }) => http.get("/") },
  },
});
`;

describe.skipIf(missing.length > 0)(`the image of the Dockerfile${lacks}`, () => {
  let folder = "";
  let builder: ImageBuilder | undefined;
  let container = "";
  let config: z.infer<typeof configuration>["OCIv1"]["config"];

  /** Runs a command in the image as its user, with the tests in /load. */
  const inImage = async (...command: readonly string[]): Promise<Ended> => {
    const tests = `${join(folder, "load")}:/load:ro`;
    // tini is not the first process here: chroot isolation shares the processes of the machine.
    const options = ["--volume", tests, "--env", "TINI_SUBREAPER=1"];
    return builder!.run("run", ...options, container, "--", ...command);
  };
  const bearhug = (...command: readonly string[]): Promise<Ended> =>
    inImage(...config.Entrypoint, ...command);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bearhug-image-"));
    mkdirSync(join(folder, "load"));
    writeFileSync(join(folder, "load/visit.load.ts"), testFile);
    builder = imageBuilder(folder);
    await buildImage(builder, folder);
    container = await builder.succeed("from", "--pull=never", "bearhug:test");
    const described = await builder.succeed("inspect", "--type", "image", "bearhug:test");
    config = configuration.parse(JSON.parse(described)).OCIv1.config;
  }, timeout);

  afterAll(async () => {
    // Without root, only buildah can delete what it stored.
    await builder?.succeed("rm", "--all");
    await builder?.succeed("rmi", "--all", "--force");
    rmSync(folder, { recursive: true, force: true });
  }, timeout);

  test("runs as a user that is not root and has no entry in /etc/passwd", async () => {
    expect(config).toMatchObject({ User: "65532:65532", WorkingDir: "/tmp" });
    expect(config.Env).toContain("HOME=/tmp");
    expect((await inImage("id")).stdout).toMatch(/^uid=65532 gid=65532(?: groups=65532)?\n$/);
    expect((await inImage("grep", "65532", "/etc/passwd")).code).toBe(1);
    expect((await inImage("touch", "/bearhug/node_modules/bearhug/bin/bearhug.js")).code).toBe(1);
  });

  test("has bearhug with its dependencies in less than 25 MB, and no npm", async () => {
    const { stdout } = await inImage("du", "-sk", "/bearhug");
    const kilobytes = Number.parseInt(stdout, 10);
    expect(kilobytes).toBeGreaterThan(10_000);
    expect(kilobytes).toBeLessThan(25_000);
    expect((await inImage("sh", "-c", "command -v npm || ls /root/.npm")).code).not.toBe(0);
  });

  test("prints the version that the build argument names", async () => {
    expect(await bearhug("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("sends ten requests to an address", async () => {
    const server = await startServer();
    const { code, stdout } = await bearhug(server.url, "-n", "10");
    expect(stdout).toContain("completed, exit code 0");
    expect(code).toBe(0);
    expect(server.counts).toEqual(new Map([["GET /", 10]]));
  });

  test("runs a test in TypeScript, even as another user that has no name", async () => {
    const server = await startServer();
    const run = ["run", "/load/visit.load.ts", "--target", server.url];
    expect((await bearhug(...run)).code).toBe(0);
    expect(server.total()).toBe(10);
    const user = await builder!.run(
      ...["run", "--user", "1000640000:0", "--volume", `${join(folder, "load")}:/load:ro`, container, "--"],
      ...config.Entrypoint.slice(config.Entrypoint.indexOf("node")),
      ...run,
    );
    expect(user.code).toBe(0);
    expect(server.total()).toBe(20);
  });

  test("ends with the exit code of the run", async () => {
    const server = await startServer();
    const run = ["run", "/load/visit.load.ts", "--target", server.url];
    expect((await bearhug(...run, "--threshold", "http_reqs: count>10")).code).toBe(99);
    expect((await bearhug(...run, "--nonsense")).code).toBe(104);
  });

  test("ends a run on SIGTERM", async () => {
    const server = await startServer((request, response) => {
      response.statusCode = request.url === "/" || server.counts.has("GET /") ? 200 : 503;
      response.end();
    });
    const run = [...config.Entrypoint, server.url, "--rate", "5", "-d", "60s"].join(" ");
    const untilLoaded = `until wget -q -O /dev/null ${server.url}/loaded; do sleep 0.2; done`;
    const { code, stdout } = await inImage(
      "sh",
      "-c",
      `${run} & run=$!; ${untilLoaded}; kill -TERM $run; wait $run`,
    );
    expect(stdout).toContain("interrupted");
    expect(code).toBe(105);
  });

  test("is not built without a version", async () => {
    const { code, stderr } = await build(builder!, folder);
    expect(code).not.toBe(0);
    expect(stderr).toContain("BEARHUG_VERSION: missing. Add --build-arg BEARHUG_VERSION=");
  });
});

/** Builds the image from the packages as they are now. */
async function buildImage(builder: ImageBuilder, folder: string): Promise<void> {
  const [node = "", alpine = ""] = [...readFileSync(dockerfile, "utf8").matchAll(/^FROM (\S+)/gm)].map(
    ([, name]) => name,
  );
  const bases: Bases = { node, alpine };
  if (!(await pullBases(builder, bases))) {
    process.stdout.write(
      `${node} and ${alpine} cannot be pulled: this machine's programs stand in for them\n`,
    );
    await makeStandIns(builder, bases, folder);
  }
  const packing = join(folder, "packed");
  mkdirSync(packing);
  await using registry = await startRegistry(await packedPackages(packing));
  await useRegistry(builder, node, registry.url, folder);
  const { code, stdout, stderr } = await build(builder, folder, "--build-arg", `BEARHUG_VERSION=${version}`);
  if (code !== 0) throw new Error(`${stdout}\n${stderr}`);
}

/** Builds the unchanged Dockerfile. It needs no file of the folder in which it is built. */
async function build(builder: ImageBuilder, folder: string, ...options: readonly string[]): Promise<Ended> {
  const empty = join(folder, "empty");
  mkdirSync(empty, { recursive: true });
  return builder.run(
    "build",
    "--pull=never",
    ...options,
    "--file",
    dockerfile,
    "--tag",
    "bearhug:test",
    empty,
  );
}

/** Sets npm's registry and trusted authorities in the base image, so that the Dockerfile stays unchanged. */
async function useRegistry(builder: ImageBuilder, node: string, url: string, folder: string): Promise<void> {
  const settings = join(folder, "settings");
  mkdirSync(settings);
  const { stdout } = await runOrThrow("npm", ["config", "get", "cafile"], folder);
  const authorities = stdout.trim();
  writeFileSync(
    join(settings, "authorities.pem"),
    authorities === "null" ? "" : readFileSync(authorities, "utf8"),
  );
  const trust = authorities === "null" ? "" : "cafile=/usr/local/etc/authorities.pem\n";
  writeFileSync(join(settings, "npmrc"), `registry=${url}\n${trust}`);
  writeFileSync(join(folder, "settings.containerfile"), `FROM ${node}\nCOPY settings /usr/local/etc\n`);
  await builder.succeed(
    ...["build", "--pull=never", "--file", join(folder, "settings.containerfile")],
    ...["--tag", `docker.io/library/${node}`, folder],
  );
}
