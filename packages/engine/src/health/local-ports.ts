import { execFileSync } from "node:child_process";

import { readKernelFile } from "./kernel-file.ts";

/** The ports of outgoing connections, and so the most connections to one address of a target. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Reads two numbers with space between them, as Linux and `sysctl` write them; null where they are no range. */
export function parsePortRange(text: string): PortRange | null {
  const [first = 0, last = 0, ...rest] = text.trim().split(/\s+/).map(Number);
  const isRange = Number.isInteger(first) && Number.isInteger(last) && first > 0 && last <= 65_535;
  return isRange && first <= last && rest.length === 0 ? { first, last } : null;
}

export function portCount({ first, last }: PortRange): number {
  return last - first + 1;
}

/** Null where the system does not tell. */
export function readLocalPorts(): PortRange | null {
  return parsePortRange(
    process.platform === "darwin"
      ? askSysctl()
      : (readKernelFile("/proc/sys/net/ipv4/ip_local_port_range") ?? ""),
  );
}

const askTimeoutMs = 1000;

function askSysctl(): string {
  const names = ["net.inet.ip.portrange.first", "net.inet.ip.portrange.last"];
  try {
    return execFileSync("/usr/sbin/sysctl", ["-n", ...names], {
      encoding: "utf8",
      timeout: askTimeoutMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}
