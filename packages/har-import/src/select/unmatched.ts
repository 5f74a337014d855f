import { printable } from "../show/printable.ts";
import type { Visit } from "../visit.ts";
import { matchesHost } from "./host-pattern.ts";
import { matchesPattern } from "./pattern.ts";
import type { SelectOptions } from "./select-options.ts";

/** A sentence for each option that has no effect on a capture: most often a slip. */
export function findUnmatched(visits: readonly Visit[], options: SelectOptions): string[] {
  const { hosts = [], skipHosts = [], only = [], skip = [] } = options;
  const named = { "--hosts": hosts, "--skip-hosts": skipHosts };
  const meant = { "--only": only, "--skip": skip };
  return [
    ...Object.entries(named).flatMap(([option, patterns]) =>
      patterns
        .filter((pattern) => !visits.some(({ url }) => matchesHost(pattern, url)))
        .map(({ text }) => `${option} ${printable(text)}: the capture has no request to a matching host.`),
    ),
    ...Object.entries(meant).flatMap(([option, patterns]) =>
      patterns
        .filter((pattern) => !visits.some(({ entry, url }) => matchesPattern(pattern, entry, url)))
        .map(({ text }) => `${option} ${printable(text)}: no request in the capture matches.`),
    ),
  ];
}
