import { execFileSync } from "node:child_process";

import { readKernelFile } from "./kernel-file.ts";

/** The ports of outgoing connections, and so the most connections to one address of a target. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses two numbers separated by white space, as Linux and `sysctl` write them; null if they are not a
 * range.
 */
export function parsePortRange(text: string): PortRange | null {
  const [first = 0, last = 0, ...rest] = text.trim().split(/\s+/).map(Number);
  const isRange = Number.isInteger(first) && Number.isInteger(last) && first > 0 && last <= 65_535;
  return isRange && first <= last && rest.length === 0 ? { first, last } : null;
}

export function portCount({ first, last }: PortRange): number {
  return last - first + 1;
}

/** Returns null if the system does not report the range. */
export function readLocalPorts(): PortRange | null {
  return parsePortRange(
    process.platform === "darwin"
      ? readSysctl()
      : (readKernelFile("/proc/sys/net/ipv4/ip_local_port_range") ?? ""),
  );
}

const sysctlTimeoutMs = 1000;

function readSysctl(): string {
  const names = ["net.inet.ip.portrange.first", "net.inet.ip.portrange.last"];
  try {
    return execFileSync("/usr/sbin/sysctl", ["-n", ...names], {
      encoding: "utf8",
      timeout: sysctlTimeoutMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}
