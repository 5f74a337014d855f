import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { ImageBuilder } from "./image-builder.ts";

/** The images that a Dockerfile begins with: one with npm, and the one of the result. */
export interface Bases {
  readonly node: string;
  readonly alpine: string;
}

/** Programs from which stand-ins are made. */
export const toolsOfStandIns = ["busybox", "tini", "npm", "ldd"];

/** Gets the images from their registry. Returns false if one of them cannot be had. */
export async function pullBases(builder: ImageBuilder, { node, alpine }: Bases): Promise<boolean> {
  for (const base of [node, alpine]) {
    const { code } = await builder.run("pull", "--quiet", `docker.io/library/${base}`);
    if (code !== 0) return false;
  }
  return true;
}

/** Makes images of the same names from programs of this machine. */
export async function makeStandIns(
  builder: ImageBuilder,
  { node, alpine }: Bases,
  folder: string,
): Promise<void> {
  const small = join(folder, "alpine");
  makeAlpine(small);
  await commit(builder, alpine, small);
  const large = join(folder, "node");
  cpSync(small, large, { recursive: true, verbatimSymlinks: true });
  copyProgram(large, process.execPath, "usr/local/bin/node");
  copyNpm(large);
  await commit(builder, node, large);
}

async function commit(builder: ImageBuilder, name: string, root: string): Promise<void> {
  const recipe = `${root}.containerfile`;
  writeFileSync(
    recipe,
    "FROM scratch\nCOPY . /\nENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n",
  );
  await builder.succeed("build", "--quiet", "--file", recipe, "--tag", `docker.io/library/${name}`, root);
}

/** Stands in for `apk`: installs the two packages that the Dockerfile names, which are absent until then. */
const packageManager = `#!/bin/sh
set -e
[ "$1" = add ]
shift
for name; do
  case "$name" in
    -*) ;;
    *) cp -a "/packages/$name/." / ;;
  esac
done
`;

function makeAlpine(root: string): void {
  for (const folder of ["bin", "dev", "etc", "packages", "proc", "root", "sbin", "sys", "tmp", "usr/bin"])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  copyProgram(root, pathOf("busybox"), "bin/busybox");
  for (const name of execFileSync("busybox", ["--list"], { encoding: "utf8" }).trim().split("\n"))
    if (name !== "busybox") symlinkSync("/bin/busybox", join(root, "bin", name));
  symlinkSync("/bin/busybox", join(root, "usr/bin/env"));
  writeFileSync(
    join(root, "etc/passwd"),
    "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
  );
  writeFileSync(join(root, "etc/group"), "root:x:0:root\nnobody:x:65534:\n");
  writeFileSync(join(root, "sbin/apk"), packageManager, { mode: 0o755 });
  copyProgram(join(root, "packages/tini"), pathOf("tini"), "sbin/tini");
  for (const library of librariesOf(process.execPath)) {
    const isOfPackage = /\/lib(?:stdc\+\+|gcc_s)\./.test(library);
    copyFile(library, join(root, isOfPackage ? "packages/libstdc++" : "", library));
  }
}

/** Copies a program to `place` below `root`, and its libraries to the same paths as on this machine. */
function copyProgram(root: string, program: string, place: string): void {
  copyFile(program, join(root, place));
  for (const library of librariesOf(program)) copyFile(library, join(root, library));
}

function copyFile(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), to);
}

/** Returns the libraries that a program loads: none if it is linked statically, because ldd then fails. */
function librariesOf(program: string): string[] {
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
}

function copyNpm(root: string): void {
  const cli = realpathSync(pathOf("npm"));
  const place = "usr/local/lib/node_modules/npm";
  cpSync(dirname(dirname(cli)), join(root, place), { recursive: true, dereference: true });
  symlinkSync(join("/", place, "bin/npm-cli.js"), join(root, "usr/local/bin/npm"));
}

function pathOf(program: string): string {
  return execFileSync("which", [program], { encoding: "utf8" }).trim();
}
