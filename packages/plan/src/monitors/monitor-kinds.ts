import { oneOf, selectorNameProblem } from "@bearhug/sdk/internal";

import type { MonitorKind } from "./monitor.ts";
import { processKind, type ProcessMonitorOptions } from "./process/process-kind.ts";
import { scrapeKind, type ScrapeOptions } from "./prometheus/scrape-kind.ts";

/** The order of each kind of monitor, by the name of its option. */
interface Orders {
  readonly monitor: ScrapeOptions;
  readonly monitorPid: ProcessMonitorOptions;
}

type MonitorOption = keyof Orders;

/** Every kind of monitor. Options, help and messages follow from the table; `entry.ts` opens what each reads. */
export const monitorKinds: { readonly [Option in MonitorOption]: MonitorKind<Orders[Option]> } = {
  monitor: scrapeKind,
  monitorPid: processKind,
};

/** A monitor as the user ordered it. Plain data: it crosses to the thread that reads. */
export type MonitorRequest<Option extends MonitorOption = MonitorOption> = {
  [Name in Option]: { readonly kind: Name } & Orders[Name];
}[Option];

/** The options as they were written. */
export type WrittenMonitors = { readonly [Option in MonitorOption]?: readonly string[] };

/** The variable with the token that `--monitor` sends. */
export const monitorTokenVariable = "BEARHUG_MONITOR_TOKEN";

/**
 * Reads the options of all kinds, and adds a sentence to `problems` for each that cannot be used.
 * @param token sent to each address that has no credentials of its own; null for none
 */
export function readOrders(
  written: WrittenMonitors,
  token: string | null,
  problems: string[],
): MonitorRequest[] {
  const read = optionNames.flatMap((option) =>
    (written[option] ?? []).map((text) => {
      const flag = `${monitorKinds[option].flag} ${withoutCredentials(text)}`;
      return { flag, order: readOrder(option, text, token, (why) => problems.push(`${flag}: ${why}`)) };
    }),
  );
  const taken = new Set<string>();
  return read.flatMap(({ flag, order }) => {
    if (order === null) return [];
    const problem = nameProblem(order.name, taken);
    if (problem !== null) problems.push(`${flag}: ${problem}`);
    taken.add(order.name);
    return [order];
  });
}

const optionNames = Object.keys(monitorKinds) as MonitorOption[];

function readOrder<Option extends MonitorOption>(
  kind: Option,
  text: string,
  token: string | null,
  refuse: (why: string) => void,
): MonitorRequest<Option> | null {
  const order = monitorKinds[kind].read(text, token, refuse);
  return order === null ? null : { kind, ...order };
}

/** Messages end up in the logs of others. */
function withoutCredentials(text: string): string {
  return text.replace(/(https?:\/\/)[^/?#,]*@/g, "$1***@");
}

function nameProblem(name: string, taken: ReadonlySet<string>): string | null {
  if (name.includes(".")) return `has a name with a dot, which ends the name of a monitor in ${name}.cpu.`;
  const problem = selectorNameProblem(name);
  if (problem !== undefined) return `${problem}.`;
  return taken.has(name) ? `another monitor is named "${name}". Put a name before it: NAME=….` : null;
}

/** The flags of monitors of this machine, which a load from other machines refuses. */
export const localMonitorFlags: readonly string[] = Object.values(monitorKinds)
  .filter(({ ofThisMachine }) => ofThisMachine !== null)
  .map(({ flag }) => flag);

/** A sentence for each kind of monitor that other machines, such as "agents", cannot read. */
export function localMonitorProblems(written: WrittenMonitors, others: string): string[] {
  return optionNames.flatMap((option) => {
    const { flag, ofThisMachine } = monitorKinds[option];
    if (ofThisMachine === null || (written[option] ?? []).length === 0) return [];
    return [`${flag}: ${others} cannot see the ${ofThisMachine} of other machines. Use --monitor.`];
  });
}

/** Says that no monitor has a name, and how to add one. */
export function unknownMonitor(name: string, known: readonly string[] = []): string {
  const there = known.length === 0 ? "" : ` There is ${known.join(", ")}.`;
  const ways = Object.values(monitorKinds).map(({ flag, value }) => `${flag} ${name}=${value}`);
  return `no monitor is called ${name}.${there} Add ${oneOf(ways)}.`;
}
