import { basicLoad, cases, startCase, type Case } from "./cases.ts";
import { commandOf } from "./command.ts";
import { measureStart } from "./first-request.ts";
import type { Installed } from "./installed.ts";
import { measure, secondsOfLoad } from "./measure.ts";
import type { BenchOptions } from "./options.ts";
import { Repeated, type Repeatable } from "./repeated.ts";
import type { BenchResults, CaseResults, Figures, Machine, StartFigures, ToolResults } from "./results.ts";
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

/** Plans a measurement of every installed and selected tool, in every selected case. */
export function planComparison(setting: Setting): Comparison {
  const { options, installed, machine } = setting;
  const isChosen = (name: string): boolean => options.cases.length === 0 || options.cases.includes(name);
  const starts = isChosen(startCase.name) ? planStarts(setting) : [];
  const planned = cases
    .filter(({ name }) => isChosen(name))
    .map((planned) => ({ planned: planned, measurements: planCase(planned, setting) }));
  const all = [...starts, ...planned.flatMap(({ measurements }) => measurements)];
  return {
    measurements: all.map(({ repeated }) => repeated),
    results: () => ({
      date: new Date().toISOString().slice(0, 10),
      machine,
      versions: installed.versions,
      missing: installed.missing,
      wantedRounds: options.rounds,
      windowS: options.windowS,
      cases: planned
        .map(({ planned: planned, measurements }): CaseResults => ({
          name: planned.name,
          title: planned.title,
          results: measurements.map(resultsOf),
        }))
        .filter(({ results }) => results.length > 0),
      firstRequest: starts.map(resultsOf),
    }),
  };
}

function resultsOf<Of>({ tool, repeated }: ToolMeasurement<Of>): ToolResults<Of> {
  const { rounds, problems } = repeated;
  return { tool: tool.id, title: tool.title, rounds, problems };
}

function planCase(planned: Case, setting: Setting): ToolMeasurement<Figures>[] {
  const { load, warmupS, name, essential, others } = planned;
  const { options, servers } = setting;
  const server = servers.find(({ origins }) => origins[load.target] !== undefined);
  const origin = server?.origins[load.target];
  if (server === undefined || origin === undefined) return [];
  const seconds = secondsOfLoad(warmupS, options.windowS, load.connections);
  const toolLoad: ToolLoad = {
    ...load,
    url: origin + load.path,
    assetUrls: load.assets.map((path) => origin + path),
    seconds,
  };
  return toolsFor([...essential, ...others], setting).map((tool) => ({
    tool,
    repeated: new Repeated({
      label: `${name} ${tool.id}`,
      rank: essential.includes(tool.id) ? 0 : 1,
      costMs: (seconds + 2 + load.connections / 250) * 1000,
      measure: async () =>
        measure({
          command: commandOf(tool, toolLoad, setting.folder),
          core: options.clientCore,
          server,
          warmupS,
          windowS: options.windowS,
        }),
      describe: describeFigures,
    }),
  }));
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
