import * as vscode from "vscode";

import type { Target } from "../command-lines.ts";
import type { Finding, RunOutcome } from "../findings.ts";
import { rangeOf, type TestItems } from "./test-items.ts";

/** Reports the outcome of a run, with each failed threshold and each exception at its line. */
export function reportOutcome(
  run: vscode.TestRun,
  items: TestItems,
  { file, scenarios }: Target,
  { verdict, reasons, findings }: RunOutcome,
): void {
  const names = scenarios ?? items.scenariosOf(file);
  for (const name of names) {
    const item = items.find(file, name);
    if (item !== undefined)
      reportScenario(run, item, verdict, messagesOf(findings.filter(({ scenario }) => scenario === name)));
  }
  const own = messagesOf(findings.filter(({ scenario }) => scenario === null || !names.includes(scenario)));
  const test = items.find(file, null);
  if (test === undefined) return;
  const messages = own.length > 0 ? own : reasons.map((reason) => new vscode.TestMessage(reason));
  if (verdict === "passed") run.passed(test);
  else if (verdict === "failed" || verdict === "aborted") run.failed(test, messages);
  else if (verdict === "errored") run.errored(test, messages);
  else run.skipped(test);
}

function reportScenario(
  run: vscode.TestRun,
  item: vscode.TestItem,
  verdict: RunOutcome["verdict"],
  messages: vscode.TestMessage[],
): void {
  if (messages.length > 0) run.failed(item, messages);
  else if (verdict === "passed" || verdict === "failed") run.passed(item);
  else run.skipped(item);
}

function messagesOf(findings: readonly Finding[]): vscode.TestMessage[] {
  return findings.map(({ message, place }) => {
    const shown = new vscode.TestMessage(message);
    if (place !== null) shown.location = new vscode.Location(vscode.Uri.file(place.file), rangeOf(place));
    return shown;
  });
}
