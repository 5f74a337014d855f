import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

import { parseChildren, parseProcessStat, parseResidentBytes } from "./parse-proc.ts";
import { familyOf, parsePs } from "./parse-ps.ts";
import type { WatchedProcess } from "./watched-process.ts";

/** A server forks a few workers. More than this would cost the machine more than it tells. */
const maxProcesses = 256;

/** Lists a process of this machine and all that descend from it: servers leave their work to children. */
export function listProcesses(pid: number, signal: AbortSignal): Promise<WatchedProcess[]> {
  return process.platform === "linux" ? Promise.resolve(listByProc(pid)) : listByPs(pid, signal);
}

/** Files of the kernel are read at once, so nothing is gained by waiting for them. */
function listByProc(pid: number): WatchedProcess[] {
  const found: WatchedProcess[] = [];
  const pids = [pid];
  for (const one of pids) {
    const folder = `/proc/${one}`;
    const stat = parseProcessStat(readText(`${folder}/stat`));
    if (stat === null || stat.isZombie) continue;
    found.push({
      id: `${one} ${stat.startedTicks}`,
      cpuSeconds: stat.cpuSeconds,
      residentBytes: parseResidentBytes(readText(`${folder}/status`)),
      descriptors: countNames(`${folder}/fd`),
    });
    if (pids.length >= maxProcesses) continue;
    for (const thread of namesIn(`${folder}/task`))
      pids.push(...parseChildren(readText(`${folder}/task/${thread}/children`)));
  }
  return found;
}

async function listByPs(pid: number, signal: AbortSignal): Promise<WatchedProcess[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,time=,rss="], { signal });
  return familyOf(pid, parsePs(stdout)).map(({ pid: id, cpuSeconds, residentBytes }) => ({
    ...{ id: String(id), cpuSeconds, residentBytes },
    descriptors: null,
  }));
}

/** Empty for a file that is gone, or somebody else's. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Other users' processes hide them. */
function countNames(path: string): number | null {
  const names = namesIn(path);
  return names.length === 0 ? null : names.length;
}
