import { isIPv6 } from "node:net";

import { sumBy } from "@bearhug/metrics/sum";
import { formatPlanned } from "@bearhug/text/duration";

import { hostWithPort } from "../http-options/host-destinations.ts";
import type { ValidatedHttp } from "../http-options/validated-http.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import { lastEndMs, latestEndMs, peakVusOfAll } from "../executors/load-models.ts";
import type { RunPlan } from "../protocol/plan.ts";
import { readCount, readPositiveDuration } from "./quantities.ts";

/** Limits set by the person who starts a run: a test that plans more is refused. */
export interface Limits {
  /** Hosts, in lower case, with or without a port; null for any. */
  readonly hosts: readonly string[] | null;
  /** The most VUs of all scenarios together; null for any number. */
  readonly vus: number | null;
  /** The most time from the start to the end of the last iteration; null for any time. */
  readonly durationMs: number | null;
}

/** The limits as written on the command line. */
export interface WrittenLimits {
  /** Each text may list several hosts, separated by commas. */
  readonly limitHosts?: readonly string[];
  readonly limitVus?: string;
  readonly limitDuration?: string;
}

/** The part of a plan that limits apply to. */
export type LimitedPlan = Pick<RunPlan, "baseUrl" | "allowHosts" | "allowUnmeasured" | "http"> & {
  readonly scenarios: readonly ValidatedScenario[];
};

/** Reads the limits, and adds a sentence to `problems` for each that cannot be used. */
export function readLimits(written: WrittenLimits, problems: string[]): Limits {
  const { limitHosts = [] } = written;
  const texts = limitHosts.flatMap((text) => text.split(",")).map((text) => text.trim());
  const hosts = texts.flatMap((text) => {
    const host = readHost(text);
    if (host !== null) return [host];
    problems.push(
      `--limit-hosts ${text}: must be a host such as 127.0.0.1 or shop.example:8080, without a path.`,
    );
    return [];
  });
  return {
    hosts: texts.length === 0 ? null : hosts,
    vus: readCount("--limit-vus", written.limitVus, 1, problems),
    durationMs: readPositiveDuration("--limit-duration", written.limitDuration, problems),
  };
}

/** Returns a host as it is written in URLs, such as `[::1]:8080`; null if it is not one. */
function readHost(text: string): string | null {
  if (isIPv6(text)) return bracketed(text);
  if (text === "" || /[/?#@*]|:$/.test(text)) return null;
  const url = URL.parse(`http://${text}`);
  if (url === null) return null;
  const [, port] = /:(\d+)$/.exec(text) ?? [];
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`;
}

function bracketed(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname : address.toLowerCase();
}

/** Returns a sentence for each limit that a run would exceed. */
export function limitProblems({ hosts, vus, durationMs }: Limits, plan: LimitedPlan): string[] {
  const { scenarios } = plan;
  const plannedVus = peakVusOfAll(scenarios);
  const plannedMs = lastEndMs(scenarios);
  return [
    ...(hosts === null ? [] : hostProblems(hosts, plan)),
    ...(vus === null || plannedVus <= vus
      ? []
      : [`--limit-vus ${vus}: the test plans up to ${plannedVus} virtual users.`]),
    ...(durationMs === null || plannedMs <= durationMs
      ? []
      : [
          `--limit-duration ${formatPlanned(durationMs)}: the test may run for ${formatPlanned(plannedMs)}, graceful stops included.${adviseShorterTimes(scenarios, durationMs)}`,
        ]),
  ];
}

/** Advises only on a number of iterations: its author may not know that they have a default time limit. */
function adviseShorterTimes(scenarios: readonly ValidatedScenario[], limitMs: number): string {
  const late = scenarios.filter((scenario) => latestEndMs(scenario) > limitMs);
  const byAdvice = Map.groupBy(late, (scenario) => optionsToShorten(scenario, limitMs));
  return [...byAdvice]
    .filter(([options]) => options !== null)
    .map(([options, of]) => ` Set a shorter ${options} for ${of.map(({ name }) => name).join(", ")}.`)
    .join("");
}

/** Returns the options of a scenario to shorten, so that it keeps a limit; null if that does not help. */
function optionsToShorten(scenario: ValidatedScenario, limitMs: number): string | null {
  const leftMs = limitMs - scenario.startTimeMs;
  if (!("maxDurationMs" in scenario) || leftMs <= 0) return null;
  if (scenario.gracefulStopMs < leftMs) return "maxDuration";
  return scenario.maxDurationMs < leftMs ? "gracefulStop" : "maxDuration and gracefulStop";
}

/**
 * Returns a sentence for each limit that several tests exceed together: VUs if they run at the same time,
 * time if they run in turn.
 */
export function limitProblemsOfSeveral(
  { vus, durationMs }: Limits,
  tests: readonly (readonly ValidatedScenario[])[],
  isTogether: boolean,
): string[] {
  const plannedVus = sumBy(tests, peakVusOfAll);
  const plannedMs = sumBy(tests, lastEndMs);
  if (isTogether)
    return vus === null || plannedVus <= vus
      ? []
      : [`--limit-vus ${vus}: the tests plan up to ${plannedVus} virtual users together.`];
  return durationMs === null || plannedMs <= durationMs
    ? []
    : [
        `--limit-duration ${formatPlanned(durationMs)}: the tests may run for ${formatPlanned(plannedMs)} in turn, graceful stops included.`,
      ];
}

function hostProblems(limits: readonly string[], plan: LimitedPlan): string[] {
  const within = ({ host }: Contact): boolean =>
    limits.includes(host) || limits.includes(host.replace(/:\d+$/, ""));
  const beyond = contactsOf(plan).filter((contact) => !within(contact));
  const named = `Allowed: ${limits.join(", ")}.`;
  const contacts = [...new Set(beyond.map(({ host, option }) => `${host} (${option})`))];
  return [
    ...(plan.allowUnmeasured
      ? ["--limit-hosts: the test has allowUnmeasured, with which its code may contact any host."]
      : []),
    ...contacts.map((contact) => `--limit-hosts: the test may contact ${contact}. ${named}`),
  ];
}

/** A machine to which a run may send something, and the option that names it. */
interface Contact {
  /** In lower case, with a port if the option gives one. */
  readonly host: string;
  readonly option: string;
}

function contactsOf({ baseUrl, allowHosts, http, scenarios }: LimitedPlan): Contact[] {
  const clients = [http, ...scenarios.map((scenario) => scenario.http)];
  return [
    ...(baseUrl === null ? [] : [{ host: hostWithPort(new URL(baseUrl)), option: "baseUrl" }]),
    ...allowHosts.map((host) => ({ host: host.toLowerCase(), option: "allowHosts" })),
    ...clients.flatMap(contactsOfClient),
  ];
}

/** Returns the other machines to which options may send requests to an allowed host. */
function contactsOfClient({ proxy, unixSocket, hosts, dns }: ValidatedHttp): Contact[] {
  return [
    ...(proxy === null ? [] : [{ host: new URL(proxy).host.toLowerCase(), option: "http.proxy" }]),
    ...(unixSocket === null ? [] : [{ host: `socket ${unixSocket}`, option: "http.unixSocket" }]),
    ...Object.values(hosts).flatMap((addresses) =>
      addresses.map((host) => ({ host: bracketed(host), option: "http.hosts" })),
    ),
    ...dns.servers.map((host) => ({ host: bracketed(host), option: "http.dns.servers" })),
  ];
}
