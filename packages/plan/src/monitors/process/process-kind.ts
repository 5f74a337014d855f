import { type DescribedMonitor, type MonitorKind, defaultMonitorName } from "../monitor.ts";

/** A request to read a process of this machine. */
export interface ProcessMonitorOptions extends DescribedMonitor {
  readonly pid: number;
}

/** `[NAME=]PID` */
export const processKind: MonitorKind<ProcessMonitorOptions> = {
  flag: "--monitor-pid",
  value: "PID",
  help: "read the load of a process of this machine: 1234",
  inCode: { type: "number", things: "process ids", example: "app: 1234" },
  ofThisMachine: "processes",
  read: readProcess,
};

function readProcess(
  text: string,
  _token: string | null,
  refuse: (why: string) => void,
): ProcessMonitorOptions | null {
  const [, name = defaultMonitorName, digits = ""] = /^(?:([^=]*)=)?(\d{1,10})$/.exec(text) ?? [];
  const pid = Number(digits);
  if (pid === 0) {
    refuse("must be a process id (PID), such as 1234 or db=1234.");
    return null;
  }
  return { name, source: `process ${pid}`, pid };
}
