import { oneOf } from "@bearhug/text/closest-name";

import { selectorNameProblem } from "../validation/name-rules.ts";
import type { MonitorKind } from "./monitor.ts";
import { processKind, type ProcessMonitorOptions } from "./process/process-kind.ts";
import { scrapeKind, type ScrapeOptions } from "./prometheus/scrape-kind.ts";

/** The requests of each kind of monitor, by the name of its option. */
interface Requests {
  readonly monitor: ScrapeOptions;
  readonly monitorPid: ProcessMonitorOptions;
}

type MonitorOption = keyof Requests;

/**
 * Every kind of monitor. Options, help and messages are made from this table; the engine's
 * `monitors/entry.ts` opens the sources.
 */
export const monitorKinds: { readonly [Option in MonitorOption]: MonitorKind<Requests[Option]> } = {
  monitor: scrapeKind,
  monitorPid: processKind,
};

/** A monitor as the user requested it. Plain data: it is sent to the thread that reads it. */
export type MonitorRequest<Option extends MonitorOption = MonitorOption> = {
  [Name in Option]: { readonly kind: Name } & Requests[Name];
}[Option];

/** The options of monitors as written on the command line. */
export type WrittenMonitors = { readonly [Option in MonitorOption]?: readonly string[] };

/** The variable with the token that `--monitor` sends. */
export const monitorTokenVariable = "BEARHUG_MONITOR_TOKEN";

/**
 * Reads the options of all kinds, and adds a sentence to `problems` for each that cannot be used.
 * @param token sent to each address that has no credentials of its own; null for none
 */
export function readMonitors(
  written: WrittenMonitors,
  token: string | null,
  problems: string[],
): MonitorRequest[] {
  const read = optionNames.flatMap((option) =>
    (written[option] ?? []).map((text) => {
      const flag = `${monitorKinds[option].flag} ${withoutCredentials(text)}`;
      return { flag, request: readMonitor(option, text, token, (why) => problems.push(`${flag}: ${why}`)) };
    }),
  );
  const taken = new Set<string>();
  return read.flatMap(({ flag, request }) => {
    if (request === null) return [];
    const problem = nameProblem(request.name, taken);
    if (problem !== null) problems.push(`${flag}: ${problem}`);
    taken.add(request.name);
    return [request];
  });
}

const optionNames = Object.keys(monitorKinds) as MonitorOption[];

function readMonitor<Option extends MonitorOption>(
  kind: Option,
  text: string,
  token: string | null,
  refuse: (why: string) => void,
): MonitorRequest<Option> | null {
  const request = monitorKinds[kind].read(text, token, refuse);
  return request === null ? null : { kind, ...request };
}

/** Masks credentials, because messages may end up in logs that others read. */
function withoutCredentials(text: string): string {
  return text.replace(/(https?:\/\/)[^/?#,]*@/g, "$1***@");
}

function nameProblem(name: string, taken: ReadonlySet<string>): string | null {
  if (name.includes(".")) return `has a name with a dot, which ends the name of a monitor in ${name}.cpu.`;
  const problem = selectorNameProblem(name);
  if (problem !== undefined) return `${problem}.`;
  return taken.has(name) ? `another monitor is named "${name}". Put a name before it: NAME=….` : null;
}

/** The flags of monitors of this machine, which cannot be used with a load from other machines. */
export const localMonitorFlags: readonly string[] = Object.values(monitorKinds)
  .filter(({ ofThisMachine }) => ofThisMachine !== null)
  .map(({ flag }) => flag);

/** Returns a sentence for each kind of monitor that other machines, such as "agents", cannot read. */
export function localMonitorProblems(written: WrittenMonitors, others: string): string[] {
  return optionNames.flatMap((option) => {
    const { flag, ofThisMachine } = monitorKinds[option];
    if (ofThisMachine === null || (written[option] ?? []).length === 0) return [];
    return [`${flag}: ${others} cannot see the ${ofThisMachine} of other machines. Use --monitor.`];
  });
}

/** Explains that no monitor has a name, and how to add one. */
export function unknownMonitor(name: string, known: readonly string[] = []): string {
  const there = known.length === 0 ? "" : ` There is ${known.join(", ")}.`;
  const ways = Object.values(monitorKinds).map(({ flag, value }) => `${flag} ${name}=${value}`);
  return `no monitor is called ${name}.${there} Add ${oneOf(ways)}.`;
}
