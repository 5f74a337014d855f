import { selectorNameProblem } from "@bearhug/sdk/internal";

import type { MonitorOrder, ProcessOrder, ScrapeOrder } from "./monitor-order.ts";
import { readLabels } from "./prometheus/parse-text.ts";
import type { ChosenFamily } from "./prometheus/chosen-family.ts";

/** The options as they were written. */
export interface WrittenMonitors {
  /** `[NAME=]URL[,FAMILY…]` */
  readonly monitor?: readonly string[];
  /** `[NAME=]PID` */
  readonly monitorPid?: readonly string[];
}

/** The variable with the token that `--monitor` sends. */
export const monitorTokenVariable = "BEARHUG_MONITOR_TOKEN";

const defaultName = "server";

/**
 * Reads `--monitor` and `--monitor-pid`, and adds a sentence to `problems` for each that cannot be used.
 * @param token sent to each address that has no credentials of its own; null for none
 */
export function readOrders(
  { monitor = [], monitorPid = [] }: WrittenMonitors,
  token: string | null,
  problems: string[],
): MonitorOrder[] {
  const orders = [
    ...monitor.map((text) => {
      const flag = `--monitor ${withoutCredentials(text)}`;
      return { flag, order: readScrape(text, token, (why) => problems.push(`${flag}: ${why}`)) };
    }),
    ...monitorPid.map((text) => ({ flag: `--monitor-pid ${text}`, order: readProcess(text, problems) })),
  ];
  const taken = new Set<string>();
  return orders.flatMap(({ flag, order }) => {
    if (order === null) return [];
    const problem = order.name.includes(".")
      ? `has a name with a dot, which ends the name of a monitor in ${order.name}.cpu`
      : selectorNameProblem(order.name);
    if (problem !== undefined) problems.push(`${flag}: ${problem}.`);
    else if (taken.has(order.name))
      problems.push(`${flag}: another monitor is named "${order.name}". Put a name before it: NAME=….`);
    taken.add(order.name);
    return [order];
  });
}

/** An address has no comma: in a query it is written %2C. */
const scrapePattern = /^(?:([^=:/,]*)=)?(https?:\/\/[^,]+)(?:,(.*))?$/s;

/** Messages end up in the logs of others. */
function withoutCredentials(text: string): string {
  return text.replace(/(https?:\/\/)[^/?#,]*@/g, "$1***@");
}

function readScrape(text: string, token: string | null, refuse: (why: string) => void): ScrapeOrder | null {
  const [, name = defaultName, address = "", families = ""] = scrapePattern.exec(text) ?? [];
  const url = URL.parse(address);
  if (url === null) {
    refuse("must be an address, such as http://10.0.0.5:9100/metrics or db=http://10.0.0.6:9187/metrics.");
    return null;
  }
  const basic = readCredentials(url);
  if (basic === undefined) {
    refuse("percent-encode the user and password; write % as %25.");
    return null;
  }
  const bearer = token === null ? null : `Bearer ${token}`;
  url.username = "";
  url.password = "";
  url.hash = "";
  if (url.pathname === "/") url.pathname = "/metrics";
  const chosen = splitFamilies(families).flatMap((one) => {
    const family = readFamily(one);
    if (family === null) refuse(`"${one}" is no family. Write FAMILY or NAME=FAMILY{label="value"}.`);
    return family ?? [];
  });
  return { kind: "scrape", name, source: url.href, url: url.href, authorization: basic ?? bearer, chosen };
}

/** The value of the header that an address's credentials stand for; null for none, undefined for some that cannot be read. */
function readCredentials({ username, password }: URL): string | null | undefined {
  if (username === "" && password === "") return null;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString("base64")}`;
  } catch {
    return undefined;
  }
}

/** Commas part families, except within braces. */
function splitFamilies(text: string): string[] {
  return text === "" ? [] : text.split(/,(?![^{]*\})/).map((one) => one.trim());
}

const familyPattern = /^(?:([^={]+)=)?([a-zA-Z_:][\w:]*)(?:\{(.*)\})?$/s;

function readFamily(text: string): ChosenFamily | null {
  const [, name, family, labels = ""] = familyPattern.exec(text) ?? [];
  const gauge = name ?? family;
  if (family === undefined || gauge === undefined) return null;
  const read = readLabels(labels);
  const isRead = labels.trim() === "" || Object.keys(read).length > 0;
  return isRead && selectorNameProblem(gauge) === undefined ? { gauge, family, labels: read } : null;
}

function readProcess(text: string, problems: string[]): ProcessOrder | null {
  const [, name = defaultName, digits = ""] = /^(?:([^=]*)=)?(\d{1,10})$/.exec(text) ?? [];
  const pid = Number(digits);
  if (pid === 0) {
    problems.push(`--monitor-pid ${text}: must be a process id (PID), such as 1234 or db=1234.`);
    return null;
  }
  return { kind: "process", name, source: `process ${pid}`, pid };
}
