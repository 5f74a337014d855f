import * as vscode from "vscode";

import { listArguments } from "../command-lines.ts";
import type { Launch } from "../debug-configuration.ts";
import { runCommand } from "../run-command.ts";
import { readTestList, type ListedProblem, type TestList } from "../test-list.ts";
import { launchOf } from "./launch-of.ts";
import { messageOf } from "../message-of.ts";
import { rangeOf, type TestItems } from "./test-items.ts";

const neverTests = "**/{node_modules,dist}/**";

/**
 * Keeps the Test Explorer and the Problems view in sync with the test files: on activation, when a file is
 * saved, and on request.
 */
export class Discovery {
  readonly #items: TestItems;
  readonly #problems = vscode.languages.createDiagnosticCollection("bearhug");
  readonly #output: vscode.LogOutputChannel;
  readonly #subscriptions: readonly { dispose: () => unknown }[];
  readonly #closed = new AbortController();
  #watchers: readonly { dispose: () => unknown }[] = [];
  /** Lists run one at a time, so that an earlier save cannot overwrite the list of a later one. */
  #listing: Promise<void> = Promise.resolve();

  constructor(items: TestItems, output: vscode.LogOutputChannel) {
    this.#items = items;
    this.#output = output;
    const refreshAll = (): void => void this.refreshAll();
    this.#subscriptions = [
      this.#problems,
      vscode.workspace.onDidSaveTextDocument(({ uri }) => void this.#refreshSaved(uri)),
      vscode.workspace.onDidChangeWorkspaceFolders(refreshAll),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("bearhug")) refreshAll();
      }),
    ];
  }

  /** Updates the tests of all files. */
  async refreshAll(): Promise<void> {
    this.#watch();
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found = await Promise.all(
      folders.map((folder) => vscode.workspace.findFiles(testsOf(folder), neverTests)),
    );
    const files = found.flat();
    const kept = new Set(files.map(({ fsPath }) => fsPath));
    for (const { id } of this.#items.all()) if (!kept.has(id)) this.#forget(vscode.Uri.file(id));
    await this.#refresh(files);
  }

  dispose(): void {
    this.#closed.abort();
    for (const one of [...this.#subscriptions, ...this.#watchers]) one.dispose();
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(testsOf(folder), false, true, false);
      return [
        watcher,
        watcher.onDidCreate((uri) => void this.#refreshSaved(uri)),
        watcher.onDidDelete((uri) => this.#forget(uri)),
      ];
    });
  }

  /** Updates the tests of a file, if its name is that of a test. */
  async #refreshSaved(uri: vscode.Uri): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined) return;
    const found = await vscode.workspace.findFiles(testsOf(folder), neverTests);
    if (found.some(({ fsPath }) => fsPath === uri.fsPath)) await this.#refresh([uri]);
  }

  async #refresh(files: readonly vscode.Uri[]): Promise<void> {
    this.#listing = this.#listing.then(() => this.#list(files));
    await this.#listing;
  }

  async #list(files: readonly vscode.Uri[]): Promise<void> {
    const launched = files.flatMap((file) => {
      try {
        return [{ file, launch: launchOf(file) }];
      } catch (error) {
        this.#showFailure([file.fsPath], error);
        return [];
      }
    });
    const groups = Map.groupBy(launched, ({ launch: { program, folder } }) => `${program}\n${folder}`);
    for (const group of groups.values()) {
      const [first] = group;
      if (first !== undefined)
        await this.#listTogether(
          first.launch,
          group.map(({ file }) => file.fsPath),
        );
    }
  }

  async #listTogether(launch: Launch, files: readonly string[]): Promise<void> {
    const { signal } = this.#closed;
    try {
      const { stdout, stderr } = await runCommand(launch, listArguments(files), { signal });
      if (signal.aborted) return;
      if (stderr !== "") this.#output.info(stderr.trimEnd());
      if (stdout === "") throw new Error(stderr.trim());
      this.#show(files, readTestList(stdout, launch.folder));
    } catch (error) {
      if (!signal.aborted) this.#showFailure(files, error);
    }
  }

  #show(files: readonly string[], list: TestList): void {
    this.#items.show(files, list);
    for (const file of files) this.#problems.delete(vscode.Uri.file(file));
    for (const [file, problems] of Map.groupBy(list.problems, (problem) => problem.file))
      this.#problems.set(vscode.Uri.file(file), problems.map(diagnosticOf));
  }

  #showFailure(files: readonly string[], error: unknown): void {
    const message = messageOf(error);
    this.#output.error(message);
    for (const file of files) {
      this.#problems.delete(vscode.Uri.file(file));
      this.#items.showError(file, message);
    }
  }

  #forget(uri: vscode.Uri): void {
    this.#items.remove(uri.fsPath);
    this.#problems.delete(uri);
  }
}

function testsOf(folder: vscode.WorkspaceFolder): vscode.RelativePattern {
  const pattern = vscode.workspace
    .getConfiguration("bearhug", folder)
    .get<string>("testFiles", "**/*.load.{ts,mts,js,mjs}");
  return new vscode.RelativePattern(folder, pattern);
}

function diagnosticOf(problem: ListedProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(rangeOf(problem), problem.message);
  diagnostic.source = "bearhug";
  return diagnostic;
}
