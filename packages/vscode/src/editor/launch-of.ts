import { existsSync } from "node:fs";
import { dirname } from "node:path";
import * as vscode from "vscode";

import type { Launch } from "../debug-configuration.ts";
import { findProgram } from "../find-program.ts";

/**
 * Finds the bearhug that runs a test or imports a capture.
 * @throws {Error} with a sentence for the user if there is none
 */
export function launchOf(file: vscode.Uri): Launch {
  const folder = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? dirname(file.fsPath);
  const settings = vscode.workspace.getConfiguration("bearhug", file);
  const program = settings.get<string>("program", "");
  const launch = findProgram(
    file.fsPath,
    folder,
    { program, node: settings.get<string>("node", "node") },
    existsSync,
  );
  if (launch !== null) return launch;
  throw new Error(
    program === ""
      ? `bearhug is not installed for ${file.fsPath}. Run npm install --save-dev bearhug there, or set "bearhug.program".`
      : `The setting "bearhug.program" names a file that does not exist: ${program}.`,
  );
}
