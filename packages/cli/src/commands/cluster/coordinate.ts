import { localMonitorFlags } from "@bearhug/plan/monitors/monitor-kinds";
import { reportsOfResults } from "@bearhug/report/index";
import { Command, Option } from "commander";

import { addReader, readOrThrow } from "../reading.ts";
import { addOptions, switchOption } from "../options.ts";
import { isPackedJob } from "../../cluster/job/stored-job.ts";
import { readCoordinateFlags, type CoordinateFlags } from "./coordinate-options.ts";
import { hideRejected } from "../command-line/help-layout.ts";
import { logPayloadOption } from "./log-payload.ts";
import { listenOption } from "../listen-address.ts";
import { addLoadOptions, addPlanOptions, sendOption, uiOption } from "../load-options.ts";
import { isCapture, runFileProblem } from "../command-line/test-file-problem.ts";
import { tokenOption } from "./token.ts";

export function createCommand(): Command {
  const command = new Command("coordinate")
    .description("run a test on several machines, each with a bearhug agent")
    .argument("<file>", "a test (.ts, .js)");
  addOptions(command, "Pods and agents", [
    new Option("--agents <n>", "number of agents that share the load"),
    listenOption("127.0.0.1:7654", "address and port for agents: 0.0.0.0:7654"),
    tokenOption(),
    new Option("--tls-cert <path>", "certificate to show to agents, instead of a key made of the token"),
    new Option("--tls-key <path>", "key of that certificate"),
    new Option("--join-timeout <time>", "how long to wait for agents").default("2m"),
    new Option("--orphan-timeout <time>", "agents stop after this long without the coordinator").default(
      "60s",
    ),
    sendOption(),
  ]);
  addOptions(command, "Load", [
    new Option("--resume <folder>", "keep the run in this folder, or continue the run that is there"),
  ]);
  addOptions(command, "Several machines", [
    switchOption("--allow-partial", "accept agents that are missing, lost, or more than a second late"),
  ]);
  command
    .addOption(uiOption())
    .addOption(logPayloadOption("result"))
    .addOption(
      new Option("--run-id <name>", "name of the run; agents with another name are turned away").hideHelp(),
    );
  addLoadOptions(addPlanOptions(command), { reports: reportsOfResults }).action(coordinate);
  return addReader(hideRejected(command, localMonitorFlags), readLine);
}

function readLine([file]: readonly string[], flags: CoordinateFlags, problems: string[]): void {
  problems.push(...fileProblems(file));
  readCoordinateFlags(file, flags, problems);
}

/** Returns problems with the test's file; a packed test is a folder and has none. */
function fileProblems(file: string | undefined): string[] {
  if (file === undefined || isPackedJob(file)) return [];
  const problem = runFileProblem(file);
  if (problem !== null) return [problem];
  return isCapture(file) ? [`${file}: agents run tests. Make one with bearhug import ${file}.`] : [];
}

async function coordinate(file: string, flags: CoordinateFlags): Promise<void> {
  const options = readOrThrow((problems) => readCoordinateFlags(file, flags, problems));
  const { coordinateAndReport } = await import("./coordinate-and-report.ts");
  await coordinateAndReport(file, flags, options);
}
