import * as vscode from "vscode";

import { debugTarget } from "./editor/debug-profile.ts";
import { Discovery } from "./editor/discover-tests.ts";
import { importCapture, tryTest } from "./editor/commands.ts";
import { createRunHandler, runUnderLoad } from "./editor/run-profile.ts";
import { TestItems } from "./editor/test-items.ts";

/** The active parts of the extension, for its tests. */
export interface Activated {
  readonly controller: vscode.TestController;
}

/** Called by VS Code when a workspace with load tests opens, or a command is used. */
export function activate({ subscriptions }: vscode.ExtensionContext): Activated {
  const output = vscode.window.createOutputChannel("bearhug", { log: true });
  const controller = vscode.tests.createTestController("bearhug", "bearhug load tests");
  const items = new TestItems(controller);
  const discovery = new Discovery(items, output);
  const { Run, Debug } = vscode.TestRunProfileKind;
  const run = createRunHandler(controller, items, runUnderLoad(items));
  const debug = createRunHandler(controller, items, (target, testRun, token) =>
    debugTarget(items, target, testRun, token),
  );
  controller.createRunProfile("Run under Load", Run, run, true);
  controller.createRunProfile("Debug One Iteration", Debug, debug, true);
  controller.refreshHandler = () => discovery.refreshAll();
  const commands = {
    "bearhug.try": async (item?: vscode.TestItem) => {
      const choice = item && items.choiceOf(item);
      const { file, scenario } = choice ?? { file: activeFile().fsPath, scenario: null };
      await tryTest({ file, scenarios: scenario === null ? null : [scenario] });
    },
    "bearhug.importCapture": (capture?: vscode.Uri) => importCapture(capture ?? activeFile(), output),
    "bearhug.showOutput": () => output.show(),
  };
  subscriptions.push(
    output,
    controller,
    discovery,
    ...Object.entries(commands).map(([name, command]) => vscode.commands.registerCommand(name, command)),
  );
  void discovery.refreshAll();
  return { controller };
}

/** Returns the file that a command of the palette applies to. */
function activeFile(): vscode.Uri {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) throw new Error("Open a file first.");
  return uri;
}
