import { availableParallelism, totalmem } from "node:os";

import { findCpuFolders, readCpuQuota } from "./control-group.ts";
import { readLocalPorts, type PortRange } from "./local-ports.ts";
import { readNetworkLinks, type NetworkLink } from "./network-links.ts";
import { readOpenFilesLimit } from "./open-files.ts";

/** The limits of this machine, or of the container around the process. Null if unknown. */
export interface MachineLimits {
  /** Cores that the process may use; a container's quota may make it a fraction. */
  readonly cores: number;
  /** True if a quota allows fewer cores than the machine has. */
  readonly hasCpuQuota: boolean;
  readonly memoryBytes: number;
  /** True if `memoryBytes` is a container's limit, not the machine's memory. */
  readonly hasMemoryLimit: boolean;
  /** The files and connections that the process may have open at once; Infinity for no limit. */
  readonly openFiles: number | null;
  readonly localPorts: PortRange | null;
  readonly links: readonly NetworkLink[];
}

export function readMachineLimits(): MachineLimits {
  const quota = readCpuQuota(findCpuFolders());
  const present = availableParallelism();
  // Without a limit, this is 0 or more than the machine's memory.
  const constrainedBytes = process.constrainedMemory();
  const hasMemoryLimit = constrainedBytes > 0 && constrainedBytes < totalmem();
  return {
    cores: quota === null ? present : Math.min(present, quota),
    // `<=`, because `availableParallelism` includes the quota, rounded to whole cores.
    hasCpuQuota: quota !== null && quota <= present,
    memoryBytes: hasMemoryLimit ? constrainedBytes : totalmem(),
    hasMemoryLimit,
    openFiles: readOpenFilesLimit(),
    localPorts: readLocalPorts(),
    links: readNetworkLinks(),
  };
}
