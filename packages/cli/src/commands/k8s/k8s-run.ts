import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { localMonitorFlags, localMonitorProblems } from "@bearhug/plan/monitors/monitor-kinds";
import type { PlannedRun } from "@bearhug/plan/test-file/make-plan";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { reportsOfResults } from "@bearhug/report/index";
import { InvalidInput } from "@bearhug/sdk";
import { Command, Option } from "commander";

import { addReader, readOrThrow } from "../reading.ts";
import { addOptions, switchOption } from "../options.ts";
import { makeToken } from "../../cluster/wire/token.ts";
import { createRun } from "../../kubernetes/change-run.ts";
import { runManifests, runSecret, sizeProblem } from "../../kubernetes/manifests.ts";
import type { RunManifestOptions, RunSecrets } from "../../kubernetes/run-manifest-options.ts";
import { checkTest } from "../../test-set/check-tests.ts";
import { loadTimeoutMs } from "../../test-set/load-config.ts";
import { attachToRun } from "./attach-to-run.ts";
import { InvalidTests } from "../problem-places.ts";
import { targetWarning } from "../remote-agents.ts";
import type { CollectFlags } from "./collect-and-report.ts";
import { findMergedReportProblems } from "../report/merged-reports.ts";
import { addPodOptions, chooseName, readPodFlags, timesOf, type PodFlags } from "./k8s-pods.ts";
import { addClusterOptions, kubectlOf, namespaceProblem, type ClusterFlags } from "./k8s-options.ts";
import { packTest, testInImage, type SentTest } from "./k8s-test.ts";
import { hideRejected } from "../command-line/help-layout.ts";
import { addLoadOptions, addPlanOptions, readFlags, type LoadFlags } from "../load-options.ts";
import { applyConfig, configOption } from "../command-line/project-config.ts";
import { onlyTestProblem } from "../command-line/test-file-problem.ts";
import { printMessage, warn } from "../warn.ts";

interface RunFlags extends Omit<LoadFlags, "allowPartial">, PodFlags, ClusterFlags, CollectFlags {
  readonly inImage?: string;
  readonly print: boolean;
  readonly printSecret: boolean;
}

export function createCommand(): Command {
  const command = new Command("k8s run")
    .description("run a test from many pods of a Kubernetes cluster")
    .argument("<file>", "a test (.ts, .js)");
  addPlanOptions(addPodOptions(addClusterOptions(command)));
  addOptions(command, "Pods and agents", [
    new Option("--in-image <path>", "run the test at this path in the image; send none"),
    switchOption("--print", "print the manifests, but not the Secret; create nothing"),
    switchOption("--print-secret", "print the Secret; create nothing"),
  ]);
  addOptions(command, "Several machines", [
    switchOption("--allow-partial", "accept agents that are late or lost"),
  ]).addOption(configOption());
  addLoadOptions(command, { reports: reportsOfResults }).action(run);
  return addReader(hideRejected(command, localMonitorFlags), readWritten);
}

function readWritten(
  [file]: readonly string[],
  flags: RunFlags,
  problems: string[],
): { readonly options: RunOptions; readonly pods: ReturnType<typeof readPodFlags> } {
  const fileProblem = file === undefined ? null : onlyTestProblem(file);
  if (fileProblem !== null) problems.push(fileProblem);
  const options = readFlags(flags, { file, hasOwnMetrics: true }, problems);
  const pods = readPodFlags(flags, problems);
  const namespaceError = namespaceProblem(flags);
  if (namespaceError !== null) problems.push(namespaceError);
  if (options.workers === 0)
    problems.push("--workers 0: agents apply the load in worker threads. Use 1 or more.");
  if (flags.print && flags.printSecret)
    problems.push("--print, --print-secret: give one of them. The Secret does not belong in git.");
  problems.push(...localMonitorProblems(flags, "pods"));
  problems.push(...findMergedReportProblems(flags.out, []));
  return { options, pods };
}

async function run(file: string, _flags: RunFlags, command: Command): Promise<void> {
  await applyConfig(command);
  const flags = command.opts<RunFlags>();
  const { options, pods } = readOrThrow((problems) => readWritten([file], flags, problems));
  const { test, planned } = await check(file, options);
  const warning = targetWarning(planned.plan.baseUrl, null);
  if (warning !== null) printMessage(warning);
  const sent =
    flags.inImage === undefined
      ? await packTest(file, options)
      : testInImage(flags.inImage, test, options, command);
  const facts: RunManifestOptions = {
    name: chooseName(flags.name, planned.plan.testName, flags.print || flags.printSecret),
    namespace: flags.namespace ?? null,
    test: sent.inCluster,
    allowsPartial: flags.allowPartial,
    ...pods.facts,
    ...timesOf(test, planned, pods.joinTimeoutMs),
  };
  const tooLarge = sizeProblem(facts);
  if (tooLarge !== null) throw new InvalidInput([tooLarge]);
  if (!flags.print && !flags.printSecret) {
    await start(facts, makeSecrets(sent), flags);
    return;
  }
  // Loaded on demand: its YAML writer is larger than everything else that this command loads.
  const { printRun, printSecret } = await import("../../kubernetes/print-run.ts");
  const text = flags.print ? printRun(facts, file) : printSecret(facts, makeSecrets(sent));
  process.stdout.write(text);
}

/** Loads and plans the test here, so that its problems are reported before anything is created. */
async function check(
  file: string,
  options: RunOptions,
): Promise<{ readonly test: ValidatedTest; readonly planned: PlannedRun }> {
  const checked = await checkTest(file, { options, timeoutMs: loadTimeoutMs, warn });
  if ("planned" in checked) return checked;
  throw new InvalidTests(checked.problems);
}

function makeSecrets({ job, variables }: SentTest): RunSecrets {
  return { token: makeToken(), job, variables };
}

async function start(facts: RunManifestOptions, secrets: RunSecrets, flags: RunFlags): Promise<void> {
  const kubectl = kubectlOf(flags);
  const { coordinator, others } = runManifests(facts);
  await createRun(kubectl, coordinator, [runSecret(facts, secrets), ...others]);
  const { name, agents } = facts;
  printMessage(`created ${name}: a coordinator and ${agents} agents`);
  await attachToRun(kubectl, name, flags, true);
}
