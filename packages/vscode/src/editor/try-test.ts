import * as vscode from "vscode";

import { tryArguments, type Target } from "../command-lines.ts";
import { launchOf } from "./launch-of.ts";

/** Runs one iteration in a terminal, which shows every exchange. */
export async function tryTest(target: Target): Promise<vscode.TaskExecution> {
  const uri = vscode.Uri.file(target.file);
  const { node, program, folder } = launchOf(uri);
  const task = new vscode.Task(
    { type: "process" },
    vscode.workspace.getWorkspaceFolder(uri) ?? vscode.TaskScope.Workspace,
    `try ${[vscode.workspace.asRelativePath(uri), ...(target.scenarios ?? [])].join(" · ")}`,
    "bearhug",
    new vscode.ProcessExecution(node, [program, ...tryArguments(target)], { cwd: folder }),
  );
  task.presentationOptions = { clear: true };
  return vscode.tasks.executeTask(task);
}
