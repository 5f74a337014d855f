import { existsSync } from "node:fs";
import { basename } from "node:path";

import * as vscode from "vscode";

import { importArguments, testPathOf, tryArguments, type Target } from "../command-lines.ts";
import { runCommand } from "../run-command.ts";
import { launchOf } from "./launch-of.ts";

/** Turns a browser recording into a test beside it, and opens the test. */
export async function importCapture(capture: vscode.Uri, output: vscode.LogOutputChannel): Promise<void> {
  const test = testPathOf(capture.fsPath);
  const exists = existsSync(test);
  if (exists && !(await mayReplace(basename(test)))) return;
  const launch = launchOf(capture);
  const title = `Importing ${basename(capture.fsPath)}`;
  const { exitCode, stdout, stderr } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title },
    () =>
      runCommand(launch, importArguments(capture.fsPath, test, exists), {
        signal: new AbortController().signal,
      }),
  );
  for (const printed of [stdout, stderr]) if (printed !== "") output.info(printed.trimEnd());
  if (exitCode !== 0) throw new Error(stderr.trim() || "The import failed.");
  await vscode.window.showTextDocument(vscode.Uri.file(test));
}

async function mayReplace(name: string): Promise<boolean> {
  const replace = "Replace";
  const answer = await vscode.window.showWarningMessage(`${name} exists already.`, { modal: true }, replace);
  return answer === replace;
}

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
