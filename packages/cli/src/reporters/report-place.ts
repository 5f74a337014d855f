import { statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

import { identityOf } from "../file-output/file-identity.ts";

/**
 * Why a report cannot be written to a path, as far as that can be told before the run; null if it can.
 * @param inputs files that the command reads
 */
export function whyNoPlace(path: string, inputs: readonly string[]): string | null {
  const existing = kindOf(path);
  if (path.endsWith("/") || existing?.isDirectory() === true)
    return `${path} is a folder. Name a file in it, such as ${join(path, "report")}.`;
  if (existing === null) return blockedFolder(path);
  const input = existing.isFile() ? inputs.find((one) => identityOf(one) === identityOf(path)) : undefined;
  return input === undefined
    ? null
    : `the report would replace ${input}, which this command reads. Choose another path.`;
}

function blockedFolder(path: string): string | null {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const kind = kindOf(folder);
    if (kind !== null) return kind.isDirectory() ? null : `${folder} is not a folder. Choose another path.`;
  }
  return null;
}

function kindOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
