import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

import { chooseTargets, type Choice } from "../choose-targets.ts";
import { runArguments, type Target } from "../command-lines.ts";
import { readOutcome } from "../findings.ts";
import { followLines, describeProgress } from "../run-progress.ts";
import { messageOf } from "../message-of.ts";
import { runCommand } from "../run-command.ts";
import { launchOf } from "./launch-of.ts";
import { reportOutcome } from "./report-outcome.ts";
import type { TestItems } from "./test-items.ts";

/** Runs one target and reports its outcome. */
type RunTarget = (target: Target, run: vscode.TestRun, token: vscode.CancellationToken) => Promise<void>;

/**
 * Returns a handler for requests of the Test Explorer, which runs one test after another, so that loads do
 * not disturb each other.
 */
export function createRunHandler(
  controller: vscode.TestController,
  items: TestItems,
  runTarget: RunTarget,
): (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void> {
  return async (request, token) => {
    const run = controller.createTestRun(request);
    const choices = (chosen: readonly vscode.TestItem[]): Choice[] =>
      chosen.flatMap((item) => items.choiceOf(item) ?? []);
    const targets = chooseTargets(
      choices(request.include ?? items.all()),
      choices(request.exclude ?? []),
      (file) => items.scenariosOf(file),
    );
    const itemsIn = (target: Target): vscode.TestItem[] => itemsOf(items, target);
    for (const target of targets) for (const item of itemsIn(target)) run.enqueued(item);
    try {
      for (const target of targets) {
        if (token.isCancellationRequested) for (const item of itemsIn(target)) run.skipped(item);
        else await runAndReport(target, run, token);
      }
    } finally {
      run.end();
    }
  };

  async function runAndReport(
    target: Target,
    run: vscode.TestRun,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const targeted = itemsOf(items, target);
    for (const item of targeted) run.started(item);
    try {
      await runTarget(target, run, token);
    } catch (error) {
      for (const item of targeted) run.errored(item, new vscode.TestMessage(messageOf(error)));
    }
  }
}

/** Returns a function that runs a target under its full load. */
export function runUnderLoad(items: TestItems): RunTarget {
  return async (target, run, token) => {
    const launch = launchOf(vscode.Uri.file(target.file));
    const folder = await mkdtemp(join(tmpdir(), "bearhug-vscode-"));
    const files = { progress: join(folder, "run.ndjson"), result: join(folder, "result.json") };
    const interrupted = new AbortController();
    const subscription = token.onCancellationRequested(() => interrupted.abort());
    try {
      const more = vscode.workspace
        .getConfiguration("bearhug", vscode.Uri.file(target.file))
        .get<readonly string[]>("runArguments", []);
      const onOutput = (text: string): void => run.appendOutput(text.replace(/\r?\n/g, "\r\n"));
      const { stderr } = await showProgress(target, files.progress, onOutput, () =>
        runCommand(launch, runArguments(target, files, more), { signal: interrupted.signal, onOutput }),
      );
      const document = await readFile(files.result, "utf8").catch(() => null);
      if (document === null) throw new Error(stderr.trim() || "bearhug ended without a result.");
      reportOutcome(run, items, target, readOutcome(document, launch.folder));
    } finally {
      subscription.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Shows the progress of a run once a second, in the status bar and in the test's output. */
async function showProgress<Result>(
  { file }: Target,
  path: string,
  print: (text: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const title = `bearhug ${vscode.workspace.asRelativePath(file)}`;
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async (progress) => {
    const followed = followLines(path, (line) => {
      const message = describeProgress(line);
      if (message === null) return;
      progress.report({ message });
      print(`${message}\n`);
    });
    try {
      return await work();
    } finally {
      await followed.stop();
    }
  });
}

/** Returns the items that a target runs: for a whole test, its own and those of its scenarios. */
function itemsOf(items: TestItems, { file, scenarios }: Target): vscode.TestItem[] {
  const names = scenarios ?? [null, ...items.scenariosOf(file)];
  return names.flatMap((name) => items.find(file, name) ?? []);
}
