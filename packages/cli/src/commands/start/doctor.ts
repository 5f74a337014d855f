import { loadavg, platform, release } from "node:os";

import { diagnoseMachine, type Diagnosis, type Remedy } from "@bearhug/engine/health/diagnose-machine";
import { readMachineLimits } from "@bearhug/engine/health/machine-limits";
import { systemClock, type Clock } from "@bearhug/plan/pacing/clock";
import { createStyle, type Style } from "@bearhug/report/terminal/style";
import { formatBytes } from "@bearhug/text/bytes";
import type { Cell } from "@bearhug/text/table";
import { describeTerminal, type Appearance } from "@bearhug/text/terminal";
import { version } from "@bearhug/text/version";
import { InvalidInput } from "@bearhug/sdk";
import { asLines } from "@bearhug/text/as-lines";
import { Command } from "commander";

import { switchOption } from "../options.ts";
import type { KeptFolder } from "../../documents/documents.ts";
import { printDocument } from "../print-document.ts";
import { jsonOption } from "../load-options.ts";
import { cleanKeptFolders, listKeptFolders } from "./kept-folders.ts";
import { describeLeftovers } from "../report/recordings.ts";

export function createCommand(): Command {
  return new Command("doctor")
    .description("check this machine's limits as a load generator")
    .addOption(switchOption("--clean", "empty the folders in which bearhug keeps recordings and caches"))
    .addOption(jsonOption())
    .action(doctor);
}

interface DoctorFlags {
  readonly clean: boolean;
  readonly json: boolean;
}

async function doctor({ clean, json }: DoctorFlags): Promise<void> {
  if (clean) {
    const problems = await cleanKeptFolders(Date.now());
    if (problems.length > 0) throw new InvalidInput(problems);
  }
  const folders = await listKeptFolders();
  const diagnoses = diagnoseMachine({
    limits: readMachineLimits(),
    platform: platform(),
    loadAverage: loadavg()[0] ?? 0,
    timerMs: await measureTimer(systemClock),
  });
  if (json) {
    const { node } = process.versions;
    const system = { node, platform: platform(), release: release() };
    await printDocument({ schema: "bearhug/doctor@1", ...system, limits: diagnoses, folders });
    return;
  }
  const appearance = describeTerminal(process.stdout);
  const system = `bearhug ${version} · Node ${process.versions.node} · ${platform()} ${release()}`;
  process.stdout.write(renderDiagnoses(system, diagnoses, appearance));
  process.stdout.write(renderFolders(folders, appearance));
  process.stdout.write(renderLeftovers(await describeLeftovers()));
}

function renderFolders(folders: readonly KeptFolder[], appearance: Appearance): string {
  const style = createStyle(appearance);
  const lines = [
    "",
    "Kept outside of your projects (bearhug doctor --clean empties them):",
    ...folders.flatMap(({ path, purpose, bytes }) => [
      ...style.paragraph(`${formatBytes(bytes)}, ${purpose}:`),
      `    ${style.text(path)}`,
    ]),
  ];
  return asLines(lines);
}

const maxShown = 3;

/** Lists runs that left a recording but no report. If the system killed them, the machine is too small. */
function renderLeftovers(leftovers: readonly (readonly string[])[]): string {
  if (leftovers.length === 0) return "";
  const more = leftovers.length - maxShown;
  return asLines([
    "",
    "Runs that were killed or could not write a report, newest first:",
    ...leftovers.slice(0, maxShown).flat(),
    ...(more > 0 ? [`  and ${more} more: bearhug report lists all of them`] : []),
  ]);
}

const timerRounds = 21;

/** Measures the median delay of several 1 ms timers, one after another. */
async function measureTimer(clock: Clock): Promise<number> {
  const tookMs: number[] = [];
  for (let round = 0; round < timerRounds; round++) {
    const beganMs = clock.now();
    await new Promise<void>((resolve) => clock.at(beganMs + 1, resolve));
    tookMs.push(clock.now() - beganMs);
  }
  return tookMs.sort((left, right) => left - right)[(timerRounds - 1) / 2] ?? 0;
}

/** Renders one line for each limit, with advice below for those that are too low. */
function renderDiagnoses(system: string, diagnoses: readonly Diagnosis[], appearance: Appearance): string {
  const style = createStyle(appearance);
  const lines = [
    style.heading(appearance.unicode ? system : system.replaceAll("·", style.symbols.dot)),
    "",
    ...style.table(
      [{ title: "" }, { title: "" }, { title: "", shrinks: true }],
      diagnoses.map(({ topic, finding, isEnough }) => [signOf(isEnough, style), topic, finding]),
    ),
    ...diagnoses.flatMap(({ topic, remedy }) =>
      remedy === null ? [] : ["", ...renderRemedy(topic, remedy, style)],
    ),
  ];
  return asLines(lines);
}

/** Renders advice with its commands, which are never wrapped, so that they can be copied. */
function renderRemedy(topic: string, { advice, commands }: Remedy, style: Style): string[] {
  const shown = commands.map((command) => command.replaceAll("…", style.symbols.ellipsis));
  return [
    ...style.paragraph(`${topic}: ${advice}`),
    ...shown.map((command) => `    ${style.strong(command)}`),
  ];
}

function signOf(isEnough: boolean | null, { symbols, good, warning, faint }: Style): Cell {
  if (isEnough === null) return { text: symbols.unknown, paint: faint };
  return isEnough ? { text: symbols.passed, paint: good } : { text: symbols.warning, paint: warning };
}
