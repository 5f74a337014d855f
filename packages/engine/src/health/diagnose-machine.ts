import { portCount, type PortRange } from "./local-ports.ts";
import type { MachineLimits } from "./machine-limits.ts";
import type { NetworkLink } from "./network-links.ts";
import { vusThatFit } from "./plan-fit.ts";

/** A diagnosis of one resource that a load generator needs. */
export interface Diagnosis {
  readonly topic: string;
  /** Describes the available amount. */
  readonly finding: string;
  /** Null if the system does not report it. */
  readonly isEnough: boolean | null;
  /** Null if there is nothing to do. */
  readonly remedy: Remedy | null;
}

/** A way to get more of a resource. */
export interface Remedy {
  readonly advice: string;
  /** Lines to copy into a shell. */
  readonly commands: readonly string[];
}

export interface MachineInfo {
  readonly limits: MachineLimits;
  /** As `process.platform` names it. */
  readonly platform: string;
  /**
   * The average number of processes that ran or waited for a core in the last minute; 0 if the system does
   * not count them.
   */
  readonly loadAverage: number;
  /** The median time in which a timer of 1 ms fires. */
  readonly timerMs: number;
}

const minCores = 2;
const minMemoryBytes = 2 ** 30;
const minOpenFiles = 10_000;
const minPorts = 20_000;
const maxTimerMs = 3;

/** Checks if this machine has enough resources for a load generator, with remedies if not. */
export function diagnoseMachine({ limits, platform, loadAverage, timerMs }: MachineInfo): Diagnosis[] {
  return [
    diagnoseCores(limits),
    diagnoseLoad(loadAverage, limits),
    diagnoseMemory(limits),
    diagnoseOpenFiles(limits.openFiles, platform),
    diagnosePorts(limits.localPorts, platform),
    diagnoseLinks(limits.links),
    diagnoseTimers(timerMs),
  ];
}

/** Other processes that use this share of the cores leave too little for measuring. */
const maxLoadShare = 0.7;

function diagnoseLoad(loadAverage: number, { cores }: MachineLimits): Diagnosis {
  const isKnown = loadAverage > 0;
  const isEnough = isKnown ? loadAverage < maxLoadShare * cores : null;
  return {
    topic: "other load",
    finding: isKnown
      ? `load average of ${loadAverage.toFixed(1)} over the last minute`
      : "the system does not report how busy it is",
    isEnough,
    remedy:
      isEnough === false
        ? {
            advice: "other processes would make responses look slower; stop them before you measure",
            commands: [],
          }
        : null,
  };
}

function diagnoseCores({ cores, hasCpuQuota }: MachineLimits): Diagnosis {
  const isEnough = cores >= minCores;
  return {
    topic: "cores",
    finding: `${Number(cores.toFixed(2))}${hasCpuQuota ? ", the container's quota" : ""}`,
    isEnough,
    remedy: isEnough
      ? null
      : {
          advice: "the workers and the main thread share one core; give bearhug more cores",
          commands: hasCpuQuota ? ["docker run --cpus=4 …"] : [],
        },
  };
}

function diagnoseMemory({ cores, memoryBytes, hasMemoryLimit }: MachineLimits): Diagnosis {
  const isEnough = memoryBytes >= minMemoryBytes;
  // The default number of workers.
  const vus = vusThatFit(memoryBytes, Math.max(1, Math.ceil(cores) - 1));
  return {
    topic: "memory",
    finding: `${formatMemory(memoryBytes)}${hasMemoryLimit ? ", the container's limit" : ""}: ${describeRoom(vus)}`,
    isEnough,
    remedy: isEnough
      ? null
      : {
          advice:
            "the figure is for a simple test; large responses and data of the test's own take more, and a run that needs more memory than there is will be killed",
          commands: hasMemoryLimit ? ["docker run --memory=4g …"] : [],
        },
  };
}

function formatMemory(bytes: number): string {
  return bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** Describes the number of virtual users by two digits, because tests differ more than that. */
function describeRoom(vus: number): string {
  if (vus < 10) return "too little for a run";
  const unit = 10 ** (Math.floor(Math.log10(vus)) - 1);
  return `about ${(Math.floor(vus / unit) * unit).toLocaleString("en-US")} virtual users`;
}

function diagnoseOpenFiles(openFiles: number | null, platform: string): Diagnosis {
  const topic = "descriptors";
  if (openFiles === null) return unknown(topic);
  const isEnough = openFiles >= minOpenFiles;
  const finding =
    openFiles === Infinity ? "no limit" : `${openFiles} files and connections at once, including Node's own`;
  const commands =
    platform === "darwin"
      ? ["sudo launchctl limit maxfiles 65535 200000", "ulimit -n 65535"]
      : ["ulimit -n 65535", "docker run --ulimit nofile=65535 …"];
  const advice =
    "each connection takes one; raise the limit in the shell that starts bearhug, or for the container. If that is refused, ask an administrator to raise the hard limit (on Linux in /etc/security/limits.conf)";
  return { topic, finding, isEnough, remedy: isEnough ? null : { advice, commands } };
}

const widerPorts: Readonly<Record<string, string>> = {
  linux: 'sudo sysctl -w net.ipv4.ip_local_port_range="1024 65535"',
  darwin: "sudo sysctl -w net.inet.ip.portrange.first=1024",
};

function diagnosePorts(localPorts: PortRange | null, platform: string): Diagnosis {
  const topic = "local ports";
  if (localPorts === null) return unknown(topic);
  const ports = portCount(localPorts);
  const isEnough = ports >= minPorts;
  const wider = widerPorts[platform];
  return {
    topic,
    finding: `${ports} (${localPorts.first} to ${localPorts.last}): this many connections to one address`,
    isEnough,
    remedy: isEnough
      ? null
      : {
          advice: "each connection to an address takes one; widen the range",
          commands: wider === undefined ? [] : [wider],
        },
  };
}

function diagnoseLinks(links: readonly NetworkLink[]): Diagnosis {
  const topic = "network";
  if (links.length === 0) {
    return {
      topic,
      finding: "no network interface reports its speed",
      isEnough: null,
      remedy: {
        advice: "give the bandwidth to the target, so that bearhug notices a saturated network",
        commands: ["bearhug run … --link 1Gbps"],
      },
    };
  }
  const finding = links.map(({ name, bitsPerSecond }) => `${name} ${bitsPerSecond / 1e6} Mbit/s`).join(", ");
  return { topic, finding, isEnough: true, remedy: null };
}

function diagnoseTimers(timerMs: number): Diagnosis {
  const isEnough = timerMs <= maxTimerMs;
  return {
    topic: "timers",
    finding: `1 ms takes ${timerMs.toFixed(2)} ms`,
    isEnough,
    remedy: isEnough
      ? null
      : {
          advice: "other processes take the CPU, or the system saves power: iterations will start late",
          commands: [],
        },
  };
}

function unknown(topic: string): Diagnosis {
  return { topic, finding: "unknown on this system", isEnough: null, remedy: null };
}
