import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import type { Command, Option } from "commander";
import { afterAll, describe, expect, test } from "vitest";

import * as abTest from "../../../src/commands/compare/ab-test.ts";
import * as bench from "../../../src/commands/bench/bench.ts";
import * as capacity from "../../../src/commands/trials/capacity.ts";
import * as coordinate from "../../../src/commands/cluster/coordinate.ts";
import { layOutHelp } from "../../../src/commands/command-line/help-layout.ts";
import * as k8sRun from "../../../src/commands/k8s/k8s-run.ts";
import * as run from "../../../src/commands/run/run.ts";
import * as sweep from "../../../src/commands/trials/sweep.ts";
import { validateCommandLine } from "../../../src/commands/command-line/validate-command-line.ts";
import { findProblems } from "../../../src/commands/reading.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-options-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const file = join(folder, "shop.load.ts");
const existing = join(folder, "file");
mkdirSync(join(folder, "kept"));
for (const path of [file, existing]) writeFileSync(path, "A=long-enough-for-a-token");
writeFileSync(join(folder, "urls.txt"), "http://127.0.0.1:8080/a\n");

/** A valid value for each option, with the other options that it needs. */
const samples: Readonly<Record<string, readonly string[]>> = {
  "--vus": ["3"],
  "--connections": ["3"],
  "--duration": ["3s"],
  "--iterations": ["3"],
  "--requests": ["3"],
  "--rate": ["5"],
  "--max-active-requests": ["5", "--protocol", "h2c"],
  "--arrivals": ["poisson", "--rate", "5"],
  "--from": ["1"],
  "--to": ["5"],
  "--add": ["2", "--to", "5"],
  "--settle": ["1s"],
  "--measure": ["1s"],
  "--resume": [join(folder, "kept")],
  "--pages-per-second": ["1"],
  "--scenario": ["s"],
  "--warmup": ["1s"],
  "--limit-hosts": ["127.0.0.1"],
  "--limit-vus": ["100"],
  "--limit-duration": ["1h"],
  "--overload": ["1.5", "--rate", "5", "--duration", "30s"],
  "--max-data": ["1GB"],
  "--seed": ["1"],
  "--slo": ["http_req_failed: rate<2%"],
  "--search": ["vus"],
  "--min-rate": ["2"],
  "--max-rate": ["20"],
  "--max-vus": ["20"],
  "--budget": ["30s"],
  "--precision": ["5%"],
  "--at-least": ["5"],
  "--target": ["http://127.0.0.1:8080"],
  "--env": ["A=b"],
  "--env-from": [existing],
  "--config": [existing],
  "--urls": [join(folder, "urls.txt")],
  "--method": ["POST"],
  "--header": ["a: b"],
  "--body": ["text"],
  "--body-file": [existing],
  "--body-size": ["20"],
  "--user": ["a:b"],
  "--threshold": ["http_req_failed: rate<1%"],
  "--abort-on-fail": ["--threshold", "http_req_failed: rate<1%"],
  "--expect": ["2xx,404"],
  "--max-failed": ["10%"],
  "--baseline": [existing],
  "--tolerance": ["6%", "--baseline", existing],
  "--rate-tolerance": ["1%", "--baseline", existing],
  "--run-noise": ["6%", "--baseline", existing],
  "--fail-on": ["undecided", "--baseline", existing],
  "--allow": ["machine", "--baseline", existing],
  "--if-incomparable": ["warn", "--baseline", existing],
  "--out": ["html=report.html"],
  "--samples": ["all", "--out", "ndjson=run.ndjson"],
  "--tag": ["team=a"],
  "--timeout": ["1s"],
  "--protocol": ["http1"],
  "--ca": [existing],
  "--cacert": [existing],
  "--cert": [existing],
  "--key": [existing, "--cert", existing],
  "--pass": ["swordfish", "--cert", existing],
  "--no-proxy": ["localhost:8080,*.internal"],
  "--proxy": ["http://127.0.0.1:1"],
  "--resolve": ["a=127.0.0.1"],
  "--unix-socket": ["/tmp/socket"],
  "--max-requests-per-connection": ["5"],
  "--max-connection-age": ["30s"],
  "--max-concurrent-streams": ["5", "--protocol", "h2c"],
  "--transport": ["undici"],
  "--grep": ["a"],
  "--monitor": ["web=http://127.0.0.1:1"],
  "--monitor-pid": [`app=${process.pid}`],
  "--shard": ["1/2", "--shard-setup", "each"],
  "--start-at": ["2099-12-01T09:00:00Z", "--shard", "1/2"],
  "--shard-setup": ["each", "--shard", "1/2"],
  "--variant": ["a=", "--variant", "b=A: b"],
  "--turn": ["300ms", "--variant", "a=", "--variant", "b=A: b"],
  "--workers": ["1"],
  "--link": ["1Gbps"],
  "--agents": ["2"],
  "--listen": ["127.0.0.1:7654"],
  "--token-file": [existing],
  "--join-timeout": ["1m"],
  "--orphan-timeout": ["1m"],
  "--send": [existing],
  "--parallelism": ["2"],
  "--image": ["a/b:1"],
  "--in-image": ["/test.ts"],
  "--name": ["a"],
  "--cpu": ["1"],
  "--memory": ["1Gi"],
  "--pull-secret": ["a"],
  "--node-selector": ["a=b"],
  "--context": ["a"],
  "--namespace": ["a"],
  "--base": ["http://127.0.0.1:8080"],
  "--new": ["http://127.0.0.1:8081"],
  "--tls-cert": [existing, "--tls-key", existing],
  "--tls-key": [existing, "--tls-cert", existing],
};

interface Subject {
  readonly name: string;
  readonly module: { createCommand(): Command };
  readonly operand: string;
  /** The options that this command requires, each with a value. */
  readonly required: Readonly<Record<string, string>>;
  /** Values that differ for this command; null if the option is only for the other kind of operand. */
  readonly own?: Readonly<Record<string, readonly string[] | null>>;
}

const url = "http://127.0.0.1:8080/";
const ofTests = { "--target": null, "--scenario": null, "--env": null, "--env-from": null };
const ofUrls = {
  "--urls": null,
  "--method": null,
  "--header": null,
  "--body": null,
  "--body-file": null,
  "--body-size": null,
  "--user": null,
  "--compressed": null,
};
const lists = {
  "--vus": ["1,2"],
  "--connections": ["1,2"],
  "--rate": ["1,2"],
  "--arrivals": ["poisson", "--rate", "1,2"],
};
const loads = { ...lists, "--out": ["html=a.html"], "--resume": [join(folder, "new.json")] };
const objective = { "--slo": "http_req_response_time: p(99)<200ms" };
const sides = { "--base": "http://127.0.0.1:8080", "--new": "http://127.0.0.1:8081" };
const pods = { "--parallelism": "2", "--image": "a/b:1" };
const turns = {
  "--turn": ["300ms"],
  "--tolerance": ["6%"],
  "--rate-tolerance": ["1%"],
  "--fail-on": ["undecided"],
  "--allow": ["machine"],
};

const subjects: readonly Subject[] = [
  { name: "run", module: run, operand: file, required: {}, own: { "--pages-per-second": null } },
  { name: "<url>", module: bench, operand: url, required: {}, own: { "--urls": null } },
  {
    name: "sweep of a URL",
    module: sweep,
    operand: url,
    required: {},
    own: { ...loads, ...ofTests, "--urls": null },
  },
  {
    name: "sweep of a test",
    module: sweep,
    operand: file,
    required: {},
    own: { ...loads, ...ofUrls, "--connections": null, "--target": [`a=${sides["--base"]}`] },
  },
  {
    name: "capacity of a URL",
    module: capacity,
    operand: url,
    required: objective,
    own: { ...ofTests, "--urls": null, "--overload": ["1.5"] },
  },
  {
    name: "capacity of a test",
    module: capacity,
    operand: file,
    required: objective,
    own: { ...ofUrls, "--overload": ["1.5"] },
  },
  { name: "ab-test", module: abTest, operand: file, required: sides, own: turns },
  { name: "coordinate", module: coordinate, operand: file, required: { "--agents": "2" } },
  { name: "k8s run", module: k8sRun, operand: file, required: pods },
];

/** Returns the problems with an option, as the command would print them. */
function problemsWith({ module, operand, required }: Subject, given: readonly string[]): readonly string[] {
  const missing = Object.entries(required).filter(([name]) => !given.includes(name));
  const line = [operand, ...missing.flat(), ...given];
  try {
    validateCommandLine(module.createCommand(), line, findProblems, {});
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems;
    throw error;
  }
  const command = module.createCommand();
  command.parseOptions(line);
  return findProblems([operand], command);
}

function nameOf({ long }: Option): string {
  return long ?? "";
}

describe.each(subjects)("the help of $name", (subject) => {
  const visible = layOutHelp(subject.module.createCommand()).options.filter(({ hidden }) => !hidden);

  test("offers no option that the command always refuses", () => {
    const offered = visible.filter((option) => subject.own?.[nameOf(option)] !== null);
    const refused = offered.flatMap((option) => {
      const name = nameOf(option);
      const value = subject.own?.[name] ?? samples[name] ?? (option.required ? undefined : []);
      if (value === undefined) return [`${name}: this test has no value for it`];
      return problemsWith(subject, [name, ...value]).map((problem) => `${name}: ${problem}`);
    });
    expect(refused).toEqual([]);
  });

  test("shows each option under a topic (help-layout.ts)", () => {
    expect(visible.filter(({ helpGroupHeading }) => helpGroupHeading === undefined).map(nameOf)).toEqual([]);
  });
});
