import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { root } from "../../../../tools/workspace.mjs";
import { startRegistry } from "../packaging/local-registry.ts";
import { packedPackages } from "../packaging/packed-packages.ts";
import { runOrThrow } from "../packaging/run-process.ts";

export const image = "bearhug:test";

/** The contents of the image, in a folder on this machine. */
export interface ImageFolder {
  /** The path of the installed command. */
  readonly command: string;
  /** The path of a file for the control plane that maps the image to its entry point. */
  readonly images: string;
}

/**
 * Installs the current packages with the npm steps of the Dockerfile, into a folder instead of an image. Pods
 * see this machine's file system, except that each has its own /tmp.
 */
export async function installImage(): Promise<ImageFolder> {
  const folder = join(homedir(), ".cache/bearhug-k8s-image");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packing = mkdtempSync(join(tmpdir(), "bearhug-packed-"));
  const tarballs = await packedPackages(packing);
  await using registry = await startRegistry(tarballs);
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const steps = [...dockerfile.matchAll(/^RUN (npm .*)$/gm)].map(([, step = ""]) => step);
  const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
    readonly version: string;
  };
  process.env["npm_config_registry"] = registry.url;
  for (const step of steps)
    await runOrThrow("sh", ["-c", step.replaceAll("$BEARHUG_VERSION", version)], folder);
  rmSync(packing, { recursive: true, force: true });
  const [, entry = ""] = /"(\/bearhug\/[^"]+\.js)"\]$/m.exec(dockerfile) ?? [];
  const command = join(folder, entry.replace(/^\/bearhug\//, ""));
  const node = join(folder, "node");
  copyFileSync(process.execPath, node);
  const images = join(folder, "images.json");
  writeFileSync(images, JSON.stringify({ [image]: [node, command] }));
  return { command, images };
}
