import assert from "node:assert/strict";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";

/** Runs in the extension host of a real VS Code, which tools/test-in-vscode.mjs starts. */
export async function activate(): Promise<void> {
  const report = process.env["BEARHUG_VSCODE_REPORT"];
  if (report === undefined) throw new TypeError("BEARHUG_VSCODE_REPORT names no file.");
  for (const [name, test] of Object.entries(tests)) {
    const ended = await test().then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    await appendFile(report, ended === null ? `✓ ${name}\n` : `✗ ${name}\n${ended}\n`);
  }
  await appendFile(report, "All have ended.\n");
}

const tests: Readonly<Record<string, () => Promise<void>>> = {
  "lists tests and scenarios at their lines": async () => {
    const { items } = await controllerOf();
    const test = await until("the shop", () => items.get(pathOf("shop.load.ts")));
    assert.equal(test.label, "Shop");
    assert.equal(test.range?.start.line, 2);
    assert.deepEqual(
      Array.from(test.children, ([id, { range }]) => [id, range?.start.line]),
      [
        ["browse", 6],
        ["buy", 12],
      ],
    );
  },

  "shows problems in the editor after a save, and removes them when they are fixed": async () => {
    const uri = vscode.Uri.file(pathOf("single.load.ts"));
    const document = await vscode.workspace.openTextDocument(uri);
    await replace(document, "vus: 1,", "vus: -1,");
    const [problem] = await until("a problem", () => {
      const found = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "bearhug");
      return found.length > 0 ? found : undefined;
    });
    assert.equal(problem?.message, "scenarios.visit.vus must be 1 or more, but is -1.");
    assert.equal(problem.range.start.line, 7);
    await replace(document, "vus: -1,", "vus: 1,");
    await until("no problem", () =>
      vscode.languages.getDiagnostics(uri).some(({ source }) => source === "bearhug") ? undefined : true,
    );
  },

  "runs a test, and shows failed thresholds and exceptions at their lines": async () => {
    const controller = await controllerOf();
    await until("the shop", () => controller.items.get(pathOf("shop.load.ts")));
    const recorded = recordRuns(controller);
    await showLine("shop.load.ts", 2);
    await vscode.commands.executeCommand("testing.runAtCursor");
    await until("the end", () => (recorded.has("end") ? true : undefined));
    assert.deepEqual(recorded.get("passed"), ["browse"]);
    assert.deepEqual(recorded.get("failed"), [
      "buy: Error: oops (3 times) at shop.load.ts:19",
      "Shop: http_reqs: count>1000: was 6 (6 samples) at shop.load.ts:23",
    ]);
  },

  "debugs one iteration, which stops at a breakpoint in the test": async () => {
    const controller = await controllerOf();
    const recorded = recordRuns(controller);
    const uri = vscode.Uri.file(pathOf("single.load.ts"));
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(9, 8))),
    ]);
    await showLine("single.load.ts", 2);
    void vscode.commands.executeCommand("testing.debugAtCursor");
    const frame = await until("a stop", () => {
      const item = vscode.debug.activeStackItem;
      return item instanceof vscode.DebugStackFrame ? item : undefined;
    });
    const { stackFrames } = (await frame.session.customRequest("stackTrace", {
      threadId: frame.threadId,
    })) as { stackFrames: { line: number; source: { path: string } }[] };
    const [top] = stackFrames;
    assert.equal(top?.line, 10);
    assert.ok(top.source.path.endsWith(uri.path), top.source.path);
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.commands.executeCommand("workbench.action.debug.continue");
    await until("the end", () => (recorded.has("end") ? true : undefined));
    assert.deepEqual(recorded.get("passed"), ["visit", "Single"]);
  },

  "tries one iteration in a terminal": async () => {
    const ended: [name: string, exitCode: number | undefined][] = [];
    const subscription = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      ended.push([execution.task.name, exitCode]);
    });
    await showLine("single.load.ts", 2);
    await vscode.commands.executeCommand("bearhug.try");
    await until("the end", () => ended[0]);
    subscription.dispose();
    assert.deepEqual(ended, [["try single.load.ts", 0]]);
  },

  "imports a HAR file, and opens the test": async () => {
    await vscode.commands.executeCommand("bearhug.importCapture", vscode.Uri.file(pathOf("recorded.har")));
    assert.equal(vscode.window.activeTextEditor?.document.fileName, pathOf("recorded.load.ts"));
    assert.match(await readFile(pathOf("recorded.load.ts"), "utf8"), /defineTest/);
  },
};

async function controllerOf(): Promise<vscode.TestController> {
  const extension = vscode.extensions.getExtension<{ controller: vscode.TestController }>(
    "bearhug.bearhug-vscode",
  );
  assert.ok(extension, "the extension is not installed");
  return (await extension.activate()).controller;
}

function pathOf(name: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(folder, "no folder is open");
  return join(folder, name);
}

async function showLine(name: string, line: number): Promise<void> {
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(pathOf(name)), { selection });
}

async function replace(document: vscode.TextDocument, text: string, by: string): Promise<void> {
  const at = document.getText().indexOf(text);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(at), document.positionAt(at + text.length)),
    by,
  );
  await vscode.workspace.applyEdit(edit);
  assert.ok(await document.save());
}

/** Records the reports of a controller's next run, by kind, in order. */
function recordRuns(controller: vscode.TestController): Map<string, string[]> {
  const recorded = new Map<string, string[]>();
  const record = (kind: string, text: string): void => {
    recorded.set(kind, [...(recorded.get(kind) ?? []), text]);
  };
  const create = controller.createTestRun.bind(controller);
  controller.createTestRun = (...request) => {
    const run = create(...request);
    const passed = run.passed.bind(run);
    const failed = run.failed.bind(run);
    const errored = run.errored.bind(run);
    const end = run.end.bind(run);
    run.passed = (item, ...rest) => {
      record("passed", item.label);
      passed(item, ...rest);
    };
    run.failed = (item, message, ...rest) => {
      for (const one of [message].flat()) record("failed", `${item.label}: ${describeMessage(one)}`);
      failed(item, message, ...rest);
    };
    run.errored = (item, message, ...rest) => {
      for (const one of [message].flat()) record("errored", `${item.label}: ${describeMessage(one)}`);
      errored(item, message, ...rest);
    };
    run.end = () => {
      record("end", "");
      end();
      controller.createTestRun = create;
    };
    return run;
  };
  return recorded;
}

function describeMessage({ message, location }: vscode.TestMessage): string {
  const text = typeof message === "string" ? message : message.value;
  if (location === undefined) return text;
  return `${text} at ${vscode.workspace.asRelativePath(location.uri)}:${location.range.start.line + 1}`;
}

/** Waits at most 30 s for a value. */
async function until<Value>(what: string, look: () => Value | undefined): Promise<Value> {
  for (let looks = 0; looks < 300; looks += 1) {
    const value = look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not appear within 30 s`);
}
