import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

import { debugArguments, type Target } from "../command-lines.ts";
import { configureDebugger } from "../debug-configuration.ts";
import { readOutcome } from "../findings.ts";
import { launchOf } from "./launch-of.ts";
import { reportOutcome } from "./report-outcome.ts";
import type { TestItems } from "./test-items.ts";

/** Debugs one iteration of a scenario in one thread. Thresholds are ignored, because they apply to a load. */
export async function debugTarget(
  items: TestItems,
  chosen: Target,
  run: vscode.TestRun,
  token: vscode.CancellationToken,
): Promise<void> {
  const target = await chooseScenario(items, chosen);
  if (target === null) return;
  const launch = launchOf(vscode.Uri.file(target.file));
  const folder = await mkdtemp(join(tmpdir(), "bearhug-vscode-"));
  const result = join(folder, "result.json");
  try {
    const name = `bearhug: ${[vscode.workspace.asRelativePath(target.file), ...(target.scenarios ?? [])].join(" · ")}`;
    const args = debugArguments(target, result);
    await debug({ ...configureDebugger(launch, { name, args, run: randomUUID() }) }, target.file, run, token);
    const document = await readFile(result, "utf8").catch(() => null);
    if (document === null)
      throw new Error("The session ended before the test did, or the test could not run.");
    const outcome = readOutcome(document, launch.folder);
    const findings = outcome.findings.filter(({ scenario }) => scenario !== null);
    const verdict = outcome.verdict === "failed" && findings.length === 0 ? "passed" : outcome.verdict;
    reportOutcome(run, items, target, { ...outcome, verdict, findings });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Prompts for a scenario if there are several, because `--vus` and `--iterations` apply to one. Null if the
 * user cancels.
 */
async function chooseScenario(items: TestItems, target: Target): Promise<Target | null> {
  const names = target.scenarios ?? items.scenariosOf(target.file);
  if (names.length <= 1) return target;
  const name = await vscode.window.showQuickPick(names, { title: "Which scenario do you want to debug?" });
  return name === undefined ? null : { file: target.file, scenarios: [name] };
}

/** Runs a debug session to its end. */
async function debug(
  configuration: vscode.DebugConfiguration,
  file: string,
  testRun: vscode.TestRun,
  token: vscode.CancellationToken,
): Promise<void> {
  const isOurs = (session: vscode.DebugSession): boolean =>
    session.parentSession === undefined &&
    session.configuration["bearhugRun"] === configuration["bearhugRun"];
  const subscriptions: vscode.Disposable[] = [];
  try {
    const ended = new Promise<void>((resolve) => {
      subscriptions.push(
        vscode.debug.onDidTerminateDebugSession((session) => {
          if (isOurs(session)) resolve();
        }),
        vscode.debug.onDidStartDebugSession((session) => {
          if (!isOurs(session)) return;
          subscriptions.push(token.onCancellationRequested(() => void vscode.debug.stopDebugging(session)));
        }),
      );
    });
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
    if (await vscode.debug.startDebugging(folder, configuration, { testRun })) await ended;
    else throw new Error("VS Code could not start its debugger.");
  } finally {
    for (const subscription of subscriptions) subscription.dispose();
  }
}
