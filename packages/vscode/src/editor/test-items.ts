import * as vscode from "vscode";

import type { Choice } from "../choose-targets.ts";
import type { ListedTest, Place, TestList } from "../test-list.ts";

/** The tests in the Test Explorer: an item for each file, with its scenarios below it. */
export class TestItems {
  readonly #controller: vscode.TestController;
  readonly #choices = new WeakMap<vscode.TestItem, Choice>();

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** Shows what these files have now, in place of what they had. */
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

  /** The test of a file, or one of its scenarios. */
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
    item.range = lineTo(test);
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
      child.range = lineTo(scenario);
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

/** From the beginning of the line: "Run Test at Cursor" looks for the test that the cursor is in, or behind. */
function lineTo({ line, column }: Place): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, column - 1);
}

/** The place in VS Code's own terms, which count from 0. */
export function rangeOf({ line, column }: Place): vscode.Range {
  const position = new vscode.Position(line - 1, column - 1);
  return new vscode.Range(position, position);
}

function itemsOf(items: vscode.TestItemCollection): vscode.TestItem[] {
  return Array.from(items, ([, item]) => item);
}
