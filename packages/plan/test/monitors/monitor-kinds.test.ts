import { describe, expect, it } from "vitest";

import {
  monitorKinds,
  type MonitorRequest,
  readMonitors,
  type WrittenMonitors,
} from "../../src/monitors/monitor-kinds.ts";

function read(written: WrittenMonitors, token: string | null = null): readonly MonitorRequest[] {
  const problems: string[] = [];
  const requests = readMonitors(written, token, problems);
  expect(problems).toEqual([]);
  return requests;
}

function problemsOf(written: WrittenMonitors): string[] {
  const problems: string[] = [];
  readMonitors(written, null, problems);
  return problems;
}

describe("--monitor", () => {
  it("takes an address, which by default is named server and has the path /metrics", () => {
    expect(read({ monitor: ["http://10.0.0.5:9100"] })).toEqual([
      {
        kind: "monitor",
        name: "server",
        source: "http://10.0.0.5:9100/metrics",
        url: "http://10.0.0.5:9100/metrics",
        authorization: null,
        chosen: [],
      },
    ]);
  });

  it("takes a name, a query, and families with names and labels of their own", () => {
    const [request] = read({
      monitor: ['db=https://10.0.0.6/x?a=b,pg_locks,web=cpu_seconds_total{name="web",zone="1,2"}'],
    });
    expect(request).toMatchObject({
      name: "db",
      url: "https://10.0.0.6/x?a=b",
      chosen: [
        { gauge: "pg_locks", family: "pg_locks", labels: {} },
        { gauge: "web", family: "cpu_seconds_total", labels: { name: "web", zone: "1,2" } },
      ],
    });
  });

  it("sends the credentials of the address, or else the token, and displays neither", () => {
    const requests = read(
      { monitor: ["a=http://me:p%40ss@10.0.0.5/metrics", "b=http://10.0.0.6/metrics"] },
      "s3cret",
    );
    expect(requests).toMatchObject([
      { source: "http://10.0.0.5/metrics", authorization: `Basic ${btoa("me:p@ss")}` },
      { source: "http://10.0.0.6/metrics", authorization: "Bearer s3cret" },
    ]);
  });

  it.each([
    ["10.0.0.5:9100", "must be an address"],
    ["http://", "must be an address"],
    ["a b=http://h", "has a name with a space"],
    ["db.a=http://h", "has a name with a dot"],
    ["http://h,a{b}", '"a{b}" is no family'],
    ["http://h,a,", '"" is no family'],
    ["http://me:50%off@h", "--monitor http://***@h: percent-encode the user and password"],
    ["http://me:s3cret@h,a b", '--monitor http://***@h,a b: "a b" is no family'],
    ["a.b=http://me:s3cret@h", "--monitor a.b=http://***@h: has a name with a dot"],
  ])("refuses %j", (text, problem) => {
    expect(problemsOf({ monitor: [text] })).toEqual([expect.stringContaining(problem)]);
  });
});

describe("--monitor-pid", () => {
  it("takes the number of a process, and a name", () => {
    expect(read({ monitorPid: ["1234", "db=77"] })).toEqual([
      { kind: "monitorPid", name: "server", source: "process 1234", pid: 1234 },
      { kind: "monitorPid", name: "db", source: "process 77", pid: 77 },
    ]);
  });

  it.each(["nginx", "0", "-1", "db=", "1.5"])("refuses %j", (text) => {
    expect(problemsOf({ monitorPid: [text] })).toEqual([
      `--monitor-pid ${text}: must be a process id (PID), such as 1234 or db=1234.`,
    ]);
  });
});

it("two monitors need two names", () => {
  expect(problemsOf({ monitor: ["http://h"], monitorPid: ["12"] })).toEqual([
    '--monitor-pid 12: another monitor is named "server". Put a name before it: NAME=….',
  ]);
});

it("each kind is stored under the camel-case name of its flag", () => {
  const names = Object.values(monitorKinds).map(({ flag }) =>
    flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  expect(names).toEqual(Object.keys(monitorKinds));
});
