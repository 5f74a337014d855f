import { dirname, isAbsolute, join } from "node:path";

import type { Launch } from "./debug-configuration.ts";

const installed = join("node_modules", "bearhug", "bin", "bearhug.js");

/** The settings that decide which bearhug runs. */
export interface LaunchSettings {
  /** The program; empty for the one installed nearest to the test. */
  readonly program: string;
  readonly node: string;
}

/**
 * Finds the bearhug that runs a test: the one in the settings, otherwise the one in the nearest
 * `node_modules`, which then runs in that folder. Null if there is none.
 */
export function findProgram(
  file: string,
  workspaceFolder: string,
  { program, node }: LaunchSettings,
  exists: (path: string) => boolean,
): Launch | null {
  if (program !== "") {
    const path = isAbsolute(program) ? program : join(workspaceFolder, program);
    return exists(path) ? { node, program: path, folder: workspaceFolder } : null;
  }
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, installed);
    if (exists(path)) return { node, program: path, folder };
    if (folder === dirname(folder)) return null;
  }
}
