import * as vscode from "vscode";

import type { Choice } from "../choose-targets.ts";
import type { ListedTest, Place, TestList } from "../test-list.ts";

/** The tests in the Test Explorer: an item for each file, with its scenarios as children. */
export class TestItems {
  readonly #controller: vscode.TestController;
  readonly #choices = new WeakMap<vscode.TestItem, Choice>();

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** Replaces the items of these files. */
  show(files: readonly string[], { tests, problems }: TestList): void {
    for (const file of files) this.remove(file);
    for (const test of tests) this.#addTest(test);
    for (const [file, broken] of Map.groupBy(problems, (problem) => problem.file))
      if (files.includes(file)) this.showError(file, broken.map(({ message }) => message).join("\n"));
  }

  /** Shows a test that cannot run. */
  showError(file: string, message: string): void {
    const uri = vscode.Uri.file(file);
    const item = this.#add(this.#controller.items, file, vscode.workspace.asRelativePath(uri), uri, {
      file,
      scenario: null,
    });
    item.error = message;
  }

  remove(file: string): void {
    this.#controller.items.delete(file);
  }

  all(): vscode.TestItem[] {
    return itemsOf(this.#controller.items);
  }

  /** Returns the item of a file's test, or of one of its scenarios. */
  find(file: string, scenario: string | null): vscode.TestItem | undefined {
    const test = this.#controller.items.get(file);
    return scenario === null ? test : test?.children.get(scenario);
  }

  scenariosOf(file: string): string[] {
    const test = this.find(file, null);
    return test === undefined ? [] : itemsOf(test.children).map(({ id }) => id);
  }

  choiceOf(item: vscode.TestItem): Choice | undefined {
    return this.#choices.get(item);
  }

  #addTest(test: ListedTest): void {
    const { file, name } = test;
    const uri = vscode.Uri.file(file);
    const item = this.#add(this.#controller.items, file, name, uri, { file, scenario: null });
    item.description = vscode.workspace.asRelativePath(uri);
    item.range = rangeUpTo(test);
    for (const scenario of test.scenarios) {
      const choice = { file, scenario: scenario.name };
      const child = this.#add(
        item.children,
        scenario.name,
        scenario.name,
        vscode.Uri.file(scenario.file),
        choice,
      );
      child.description = scenario.executor;
      child.range = rangeUpTo(scenario);
    }
  }

  #add(
    items: vscode.TestItemCollection,
    id: string,
    label: string,
    uri: vscode.Uri,
    choice: Choice,
  ): vscode.TestItem {
    const item = this.#controller.createTestItem(id, label, uri);
    this.#choices.set(item, choice);
    items.add(item);
    return item;
  }
}

/**
 * Returns a range that starts at the beginning of the line, because "Run Test at Cursor" looks for a test at
 * or before the cursor.
 */
function rangeUpTo({ line, column }: Place): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, column - 1);
}

/** Converts a place to VS Code's positions, which count from 0. */
export function rangeOf({ line, column }: Place): vscode.Range {
  const position = new vscode.Position(line - 1, column - 1);
  return new vscode.Range(position, position);
}

function itemsOf(items: vscode.TestItemCollection): vscode.TestItem[] {
  return Array.from(items, ([, item]) => item);
}
