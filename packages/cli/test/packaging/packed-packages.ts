import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { publishedPackages } from "../../../../tools/published-packages.mjs";
import { root, workspace } from "../../../../tools/workspace.mjs";
import { runOrThrow } from "./run-process.ts";

/**
 * Returns the paths of the packages' tarballs. The check packs them beforehand and sets BEARHUG_PACKED;
 * without that, the packages are built and packed into `folder`.
 */
export async function packedPackages(folder: string): Promise<string[]> {
  const packed = process.env["BEARHUG_PACKED"] ?? (await packInto(folder));
  return (await readdir(packed)).map((name) => join(packed, name));
}

async function packInto(folder: string): Promise<string> {
  await runOrThrow(process.execPath, ["tools/build.mjs"], root);
  for (const published of publishedPackages) {
    const pack = ["--yes", workspace.packageManager, "pack", "--pack-destination", folder];
    await runOrThrow("npx", pack, published.folder);
  }
  return folder;
}
