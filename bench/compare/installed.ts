import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";

import { readNginxVersion } from "../nginx.ts";
import type { Machine } from "./results.ts";
import type { Tool } from "./tool.ts";

/** Returns the version that a program prints; null if it is not installed. */
function readVersion(command: readonly string[], pattern = /\d+\.\d+(\.\d+)?/): string | null {
  const [program = "", ...options] = command;
  const { error, stdout, stderr } = spawnSync(program, options, { encoding: "utf8", timeout: 30_000 });
  if (error !== undefined) return null;
  const text = stdout + stderr;
  return pattern.exec(text)?.[0] ?? "unknown";
}

/** The installed tools and servers, with their versions by name. */
export interface Installed {
  readonly tools: ReadonlySet<Tool>;
  readonly hasNginx: boolean;
  readonly hasCaddy: boolean;
  readonly versions: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

export function findInstalled(tools: readonly Tool[]): Installed {
  const found = new Map(
    tools.map((tool) => [tool, readVersion([...tool.command, ...tool.versionOptions])] as const),
  );
  // `caddy version` does not know its version if Caddy was built by `go install`.
  const caddy = readVersion(["caddy", "build-info"], /(?<=caddy\/v2\s+v)\S+/);
  const others = { nginx: readNginxVersion(), Caddy: caddy, bearhug: readOwnVersion() };
  const named = [...[...found].map(([tool, version]) => [tool.command[0], version] as const)]
    .filter(([name]) => name !== process.execPath)
    .concat(Object.entries(others));
  return {
    tools: new Set(tools.filter((tool) => found.get(tool) !== null)),
    hasNginx: others.nginx !== null,
    hasCaddy: caddy !== null,
    versions: Object.fromEntries([
      ...named.filter((each): each is [string, string] => each[1] !== null),
      ["Node", process.versions.node],
    ]),
    missing: named.filter(([, version]) => version === null).map(([name]) => name),
  };
}

/** Returns bearhug's version with its commit, which is more precise for a build that is not released. */
function readOwnVersion(): string {
  const file = new URL("../../packages/cli/package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  const { stdout } = spawnSync("git", ["rev-parse", "--short=8", "HEAD"], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  return stdout === "" ? version : `${version} (${stdout.trim()})`;
}

export function describeMachine(): Machine {
  const processors = cpus();
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
  return {
    cpu: processors[0]?.model ?? "unknown",
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    // Without the build number, which is specific to one machine.
    kernel: /^\d+\.\d+/.exec(release())?.[0] ?? release(),
    system: system ?? "Linux",
  };
}

/** Returns true if processes can be pinned to cores here. */
export function canPin(): boolean {
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
