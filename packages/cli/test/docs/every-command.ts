import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Command } from "commander";

import { layOutHelp } from "../../src/commands/command-line/help-layout.ts";
import { takeVariables } from "../../src/commands/command-line/variables.ts";

const folder = join(import.meta.dirname, "../../src/commands");

/** Returns every command as its module creates it. New commands are found without being listed anywhere. */
export async function everyCommand(): Promise<Command[]> {
  const files = globSync("**/*.ts", { cwd: folder }).filter((file) =>
    readFileSync(join(folder, file), "utf8").includes("export function createCommand("),
  );
  return Promise.all(
    files
      .toSorted((one, other) => basename(one).localeCompare(basename(other)))
      .map(async (file) => {
        const module: unknown = await import(pathToFileURL(join(folder, file)).href);
        if (!createsCommand(module)) throw new TypeError(`${file} exports no function createCommand`);
        return layOutHelp(takeVariables(module.createCommand(), {}));
      }),
  );
}

function createsCommand(module: unknown): module is { readonly createCommand: () => Command } {
  return typeof module === "object" && module !== null && "createCommand" in module;
}
