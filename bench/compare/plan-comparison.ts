import {
  basicLoad,
  cases,
  firstSecondCases,
  firstSecondName,
  startCase,
  type Case,
  type LoadCase,
} from "./cases.ts";
import { commandOf } from "./command.ts";
import { measureStart } from "./first-request.ts";
import type { Installed } from "./installed.ts";
import { measure, measureFirstSeconds, secondsOfLoad, secondsUntilSteady, type Run } from "./measure.ts";
import type { BenchOptions } from "./options.ts";
import { Repeated, type Repeatable } from "./repeated.ts";
import type {
  BenchResults,
  CaseResults,
  Figures,
  FirstSecondFigures,
  Machine,
  StartFigures,
  ToolResults,
} from "./results.ts";
import type { TargetServer } from "./servers.ts";
import type { ToolLoad, Tool } from "./tool.ts";
import { tools } from "./tools.ts";

/** The parts that a comparison needs. */
export interface Setting {
  readonly options: BenchOptions;
  readonly installed: Installed;
  readonly machine: Machine;
  readonly servers: readonly TargetServer[];
  /** The folder for the tools' scripts. */
  readonly folder: string;
}

export interface Comparison {
  readonly measurements: readonly Repeatable[];
  readonly results: () => BenchResults;
}

interface ToolMeasurement<Of> {
  readonly tool: Tool;
  readonly repeated: Repeated<Of>;
}

interface CaseMeasurements<Of> {
  readonly planned: LoadCase;
  readonly measurements: readonly ToolMeasurement<Of>[];
}

/** Plans a measurement of every installed and selected tool, in every selected case. */
export function planComparison(setting: Setting): Comparison {
  const { options, installed, machine } = setting;
  const isChosen = (name: string): boolean => options.cases.length === 0 || options.cases.includes(name);
  const starts = isChosen(startCase.name) ? planStarts(setting) : [];
  const firstSeconds = isChosen(firstSecondName)
    ? firstSecondCases.map((planned) => planFirstSeconds(planned, setting))
    : [];
  const steady = cases.filter(({ name }) => isChosen(name)).map((planned) => planSteady(planned, setting));
  return {
    measurements: [
      ...starts.map(repeatableOf),
      ...firstSeconds.flatMap(({ measurements }) => measurements.map(repeatableOf)),
      ...steady.flatMap(({ measurements }) => measurements.map(repeatableOf)),
    ],
    results: () => ({
      date: new Date().toISOString().slice(0, 10),
      machine,
      versions: installed.versions,
      missing: installed.missing,
      wantedRounds: options.rounds,
      windowS: options.windowS,
      cases: casesOf(steady),
      firstSeconds: casesOf(firstSeconds),
      firstRequest: starts.map(resultsOf),
    }),
  };
}

function repeatableOf<Of>({ repeated }: ToolMeasurement<Of>): Repeatable {
  return repeated;
}

function casesOf<Of>(measured: readonly CaseMeasurements<Of>[]): CaseResults<Of>[] {
  return measured
    .map(({ planned: { name, title }, measurements }) => ({
      name,
      title,
      results: measurements.map(resultsOf),
    }))
    .filter(({ results }) => results.length > 0);
}

function resultsOf<Of>({ tool, repeated }: ToolMeasurement<Of>): ToolResults<Of> {
  const { rounds, problems } = repeated;
  return { tool: tool.id, title: tool.title, rounds, problems };
}

function planSteady(planned: Case, setting: Setting): CaseMeasurements<Figures> {
  const { load, warmupS } = planned;
  const { windowS } = setting.options;
  return planCase(planned, setting, {
    label: planned.name,
    seconds: secondsOfLoad(warmupS, windowS, load.connections),
    measure: (run) => measure({ ...run, warmupS, windowS }),
    describe: describeFigures,
  });
}

function planFirstSeconds(planned: LoadCase, setting: Setting): CaseMeasurements<FirstSecondFigures> {
  return planCase(planned, setting, {
    label: `${firstSecondName} ${planned.name}`,
    seconds: secondsUntilSteady,
    measure: measureFirstSeconds,
    describe: ({ steadyPerSecond, firstShare, secondShare }) =>
      `${steadyPerSecond.toFixed(0).padStart(7)}/s, the first second ${firstShare.toFixed(2)} of it, the second ${secondShare.toFixed(2)}`,
  });
}

/** How a case is measured, with a tool that makes requests for some seconds. */
interface Measurement<Of> {
  /** Names the case on the console. */
  readonly label: string;
  readonly seconds: number;
  readonly measure: (run: Pick<Run, "command" | "core" | "server">) => Promise<Of>;
  readonly describe: (figures: Of) => string;
}

function planCase<Of>(
  planned: LoadCase,
  setting: Setting,
  { label, seconds, measure, describe }: Measurement<Of>,
): CaseMeasurements<Of> {
  const { load, essential, others } = planned;
  const { options, servers, folder } = setting;
  const server = servers.find(({ origins }) => origins[load.target] !== undefined);
  const origin = server?.origins[load.target];
  if (server === undefined || origin === undefined) return { planned, measurements: [] };
  const toolLoad: ToolLoad = {
    ...load,
    url: origin + load.path,
    assetUrls: load.assets.map((path) => origin + path),
    seconds,
  };
  const measurements = toolsFor([...essential, ...others], setting).map((tool) => ({
    tool,
    repeated: new Repeated({
      label: `${label} ${tool.id}`,
      rank: essential.includes(tool.id) ? 0 : 1,
      costMs: (seconds + 2 + load.connections / 250) * 1000,
      measure: () =>
        measure({ command: commandOf(tool, toolLoad, folder), core: options.clientCore, server }),
      describe,
    }),
  }));
  return { planned, measurements };
}

const describeFigures = ({ requestsPerSecond, cpuUs, serverBusy, peakRssMb }: Figures): string =>
  `${requestsPerSecond.toFixed(0).padStart(7)}/s ${cpuUs.toFixed(1).padStart(7)} µs ${peakRssMb.toFixed(0).padStart(6)} MB, server ${(serverBusy * 100).toFixed(0)} %`;

function planStarts(setting: Setting): ToolMeasurement<StartFigures>[] {
  return toolsFor(startCase.tools, setting).map((tool) => ({
    tool,
    repeated: new Repeated({
      label: `${startCase.name} ${tool.id}`,
      rank: 0,
      costMs: 2500,
      measure: async () =>
        measureStart(setting.options.clientCore, (origin) => {
          const load = { ...basicLoad, connections: 1, seconds: 1, url: `${origin}/`, assetUrls: [] };
          return commandOf(tool, load, setting.folder);
        }),
      describe: ({ firstRequestMs }) => `${firstRequestMs.toFixed(0).padStart(7)} ms`,
    }),
  }));
}

/** Returns the tools among these that are installed and selected, in the order of the tables. */
function toolsFor(ids: readonly string[], { options, installed }: Setting): Tool[] {
  return tools.filter(
    (tool) =>
      ids.includes(tool.id) &&
      installed.tools.has(tool) &&
      (options.tools.length === 0 || options.tools.includes(tool.id)),
  );
}
