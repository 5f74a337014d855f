import { addMissing, inEntries } from "./json-file.ts";
import { renderJsonFile } from "./json-text.ts";
import type { PlannedFile } from "./planned-file.ts";

/** The entries that a `package.json` gets. */
export interface WantedManifest {
  /** The name of a new one. */
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Adds scripts and packages that are missing; those that are there keep their values. */
export function planManifest(path: string, existing: string | null, wanted: WantedManifest): PlannedFile {
  if (existing !== null) {
    return addMissing(path, existing, [
      ...inEntries("devDependencies", wanted.devDependencies, (name) => [["dependencies", name]]),
      ...inEntries("scripts", wanted.scripts),
    ]);
  }
  const manifest = {
    name: wanted.name,
    private: true,
    type: "module",
    scripts: wanted.scripts,
    devDependencies: wanted.devDependencies,
  };
  return { kind: "new", path, text: renderJsonFile(manifest) };
}
