import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { type LocalRegistry, startRegistry } from "../packaging/local-registry.ts";
import { packedPackages } from "../packaging/packed-packages.ts";
import { type Ended, runOrThrow, runProcess } from "../packaging/run-process.ts";
import { missingTools } from "./application.ts";

const slow = { timeout: 300_000 };

/** The oldest Node on which bearhug runs, and the one that most people have. */
const nodes = { "22.19": "22.19.0", "24": "24.21.0" } as const;
type NodeName = keyof typeof nodes;

/** The commands and settings of a package manager. */
interface Manager {
  readonly name: string;
  readonly node: NodeName;
  readonly files: (registry: string) => Readonly<Record<string, string>>;
  readonly install: string;
  readonly exec: string;
  readonly remove: string;
  /** Options of `check`: TypeScript finds no types of packages under Plug'n'Play. */
  readonly checks?: string;
}

const yarnOptions = (linker: string, registry: string): string =>
  [
    `nodeLinker: ${linker}`,
    `npmRegistryServer: "${registry}"`,
    'unsafeHttpWhitelist: ["127.0.0.1"]',
    "enableGlobalCache: false",
    "enableTelemetry: false",
    // The packages were published a moment ago.
    "npmMinimalAgeGate: 0",
    "",
  ].join("\n");
const manifest = { "package.json": '{ "name": "shop", "private": true, "type": "module" }\n' };
const npm = {
  name: "npm",
  install: "npm install",
  exec: "npx",
  remove: "npm uninstall bearhug @bearhug/sdk",
};
const yarn = { install: "yarn install", exec: "yarn run", remove: "yarn remove bearhug @bearhug/sdk" };

const managers: readonly Manager[] = [
  { ...npm, node: "22.19", files: () => manifest },
  { ...npm, node: "24", files: () => manifest },
  {
    name: "pnpm",
    node: "24",
    files: () => manifest,
    install: "pnpm install",
    exec: "pnpm exec",
    remove: "pnpm remove bearhug @bearhug/sdk",
  },
  {
    ...yarn,
    name: "yarn, node_modules",
    node: "24",
    files: (registry) => ({
      ...manifest,
      "yarn.lock": "",
      ".yarnrc.yml": yarnOptions("node-modules", registry),
    }),
  },
  {
    ...yarn,
    name: "yarn, Plug'n'Play",
    node: "24",
    files: (registry) => ({ ...manifest, "yarn.lock": "", ".yarnrc.yml": yarnOptions("pnp", registry) }),
    checks: "--no-types",
  },
];

let folder: string;
let registry: LocalRegistry;
let site: Awaited<ReturnType<typeof startDemo>>;

beforeAll(async () => {
  if (!hasNpm) return;
  folder = mkdtempSync(join(tmpdir(), "bearhug-managers-"));
  registry = await startRegistry(await packedPackages(mkdtempSync(join(folder, "packed-"))));
  site = await startDemo({ port: 0, host: "127.0.0.1" });
  mkdirSync(join(folder, "tools"));
  const { platform, arch } = process;
  const nodeOf = (version: string): string => `node-${version}@npm:node-${platform}-${arch}@${version}`;
  const tools = [...Object.values(nodes).map(nodeOf), "pnpm@10.34.9", "@yarnpkg/cli-dist@4.18.1"];
  await runOrThrow("npm", ["install", "--no-audit", "--no-fund", ...tools], join(folder, "tools"));
}, slow.timeout);

afterAll(async () => {
  if (!hasNpm) return;
  await registry[Symbol.asyncDispose]();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const hasNpm = missingTools({ tools: ["npm"] }).length === 0;

/** Runs a line in a shell, as a user whose home is the given folder. */
function type(line: string, cwd: string, { home, node }: { home: string; node: NodeName }): Promise<Ended> {
  const modules = join(folder, "tools/node_modules");
  const path = [join(modules, `node-${nodes[node]}`, "bin"), join(modules, ".bin"), process.env["PATH"]];
  const environment = {
    BEARHUG_ALLOW_SATURATED: "true",
    HOME: home,
    TMPDIR: join(home, "tmp"),
    PATH: path.join(delimiter),
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_store_dir: join(folder, "pnpm-store"),
    npm_config_yes: "true",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    npm_config_minimum_release_age: "0",
  };
  const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const unset = ["-u", "npm_config_user_agent", "-u", "XDG_CACHE_HOME", "-u", "NODE_COMPILE_CACHE"];
  return runProcess("env", [...unset, ...words, "sh", "-c", line], cwd);
}

/** Returns all files below a folder, except those that package managers and TypeScript keep. */
function filesBelow(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(home.length + 1))
    .filter(
      (path) =>
        !/^(\.npm|\.yarn|\.cache\/(pnpm|yarn)|\.local|\.config|Library)|^tmp\/(xfs-|\.yarn|node-compile-cache\/)/.test(
          path,
        ),
    );
}

describe.skipIf(!hasNpm)("from the packed tarballs in an empty home (needs npm)", () => {
  test.each(managers)(
    "$name on Node $node: a one-liner, a project and a run work, and only leave files that doctor names",
    slow,
    async ({ node, files, install, exec, remove, checks = "" }) => {
      const home = mkdtempSync(join(folder, "home-"));
      mkdirSync(join(home, "tmp"));
      const shop = mkdtempSync(join(folder, "shop-"));
      for (const [name, text] of Object.entries(files(registry.url))) writeFileSync(join(shop, name), text);
      const lines = [
        `npx bearhug ${site.url}/ -n 50 -c 5`,
        `npm create bearhug ${site.url}/ -- --yes`,
        install,
        `${exec} bearhug check load/first.load.ts ${checks}`,
        `${exec} bearhug run load/first.load.ts --duration 2s --out html --out json`,
        `${exec} bearhug report result.json --out markdown`,
        remove,
      ];
      for (const line of lines) {
        const ended = await type(line, shop, { home, node });
        expect(ended.code, `${line}\n${ended.stdout}\n${ended.stderr}`).toBe(0);
      }
      const named = /^(?:\.cache\/bearhug\/runs|tmp\/bearhug-compile-cache-\d+)\//;
      expect(filesBelow(home).filter((path) => !named.test(path))).toEqual([]);
      const { code } = await type("npx bearhug doctor --clean", shop, { home, node });
      expect(code).toBe(0);
      // The command itself ran last, and may have cached its compiled code again.
      expect(filesBelow(home).filter((path) => !path.startsWith("tmp/bearhug-compile-cache-"))).toEqual([]);
    },
  );
});
