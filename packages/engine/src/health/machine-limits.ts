import { availableParallelism, totalmem } from "node:os";

import { findCpuFolders, readCpuQuota } from "./control-group.ts";
import { readLocalPorts, type PortRange } from "./local-ports.ts";
import { readNetworkLinks, type NetworkLink } from "./network-links.ts";
import { readOpenFilesLimit, type OpenFilesLimit } from "./open-files.ts";

/** The limits of this machine, or of the container around the process. Null if unknown. */
export interface MachineLimits {
  /** Cores that the process may use; a container's quota may make it a fraction. */
  readonly cores: number;
  /** True if a quota allows fewer than the machine has. */
  readonly hasCpuQuota: boolean;
  readonly memoryBytes: number;
  /** True if that is a container's limit, not the machine's memory. */
  readonly hasMemoryLimit: boolean;
  readonly openFiles: OpenFilesLimit | null;
  readonly localPorts: PortRange | null;
  readonly links: readonly NetworkLink[];
}

export function readMachineLimits(): MachineLimits {
  const quota = readCpuQuota(findCpuFolders());
  const present = availableParallelism();
  // 0, or more than there is, where nothing bounds it.
  const constrainedBytes = process.constrainedMemory();
  const hasMemoryLimit = constrainedBytes > 0 && constrainedBytes < totalmem();
  return {
    cores: quota === null ? present : Math.min(present, quota),
    // Node rounds a quota to whole cores in what it calls available.
    hasCpuQuota: quota !== null && quota <= present,
    memoryBytes: hasMemoryLimit ? constrainedBytes : totalmem(),
    hasMemoryLimit,
    openFiles: readOpenFilesLimit(),
    localPorts: readLocalPorts(),
    links: readNetworkLinks(),
  };
}
