import { selectorNameProblem } from "../../validation/name-rules.ts";
import { type DescribedMonitor, type MonitorKind, defaultMonitorName } from "../monitor.ts";
import type { ChosenFamily } from "./chosen-family.ts";
import { readLabels } from "./parse-text.ts";

/** A request to read an exporter. */
export interface ScrapeOptions extends DescribedMonitor {
  /** Without credentials. */
  readonly url: string;
  /** The value of the `authorization` header; null for none. */
  readonly authorization: string | null;
  /** Families to read besides those that are known to be of servers. */
  readonly chosen: readonly ChosenFamily[];
}

/** `[NAME=]URL[,FAMILY…]` */
export const scrapeKind: MonitorKind<ScrapeOptions> = {
  flag: "--monitor",
  value: "URL",
  help: "read the load of a server from its exporter: http://10.0.0.5:9100",
  inCode: { type: "string", things: "addresses", example: 'server: "http://10.0.0.5:9100"' },
  ofThisMachine: null,
  read: readScrape,
};

/** An address has no comma: in a query it is written %2C. */
const scrapePattern = /^(?:([^=:/,]*)=)?(https?:\/\/[^,]+)(?:,(.*))?$/s;

function readScrape(text: string, token: string | null, refuse: (why: string) => void): ScrapeOptions | null {
  const [, name = defaultMonitorName, address = "", families = ""] = scrapePattern.exec(text) ?? [];
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
  return { name, source: url.href, url: url.href, authorization: basic ?? bearer, chosen };
}

/**
 * Returns the value of the header for the credentials of an address; null for none, undefined if
 * they cannot be read.
 */
function readCredentials({ username, password }: URL): string | null | undefined {
  if (username === "" && password === "") return null;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString("base64")}`;
  } catch {
    return undefined;
  }
}

/** Splits families at commas, except within braces. */
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
