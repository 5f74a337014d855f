import { readFileSync } from "node:fs";

import { monitorTokenVariable } from "@bearhug/plan/monitors/monitor-kinds";
import { expect, test } from "vitest";

import * as bench from "../../../src/commands/bench/bench.ts";
import {
  variablesOf,
  takeVariables,
  unenforcedLimits,
  variableOf,
} from "../../../src/commands/command-line/variables.ts";
import { everyCommand } from "../../docs/every-command.ts";

const commands = await everyCommand();

const documented = readFileSync(new URL("../../../../../docs/cli.md", import.meta.url), "utf8");

test("the documentation names every option's variable beside it", () => {
  for (const command of commands) {
    for (const option of command.options) {
      const variable = variableOf(command, option);
      if (variable === null || option.hidden) continue;
      const rows = documented
        .split("\n")
        .filter((line) => line.includes(`${option.long} <`) || line.includes(`${option.long}\``));
      expect(rows.join("\n"), `${command.name()} ${option.long}`).toContain(`\`${variable}\``);
    }
  }
});

test("help names an option's variable only if the two have different names", () => {
  const help = takeVariables(bench.createCommand(), {}).helpInformation().replaceAll(/\s+/g, " ");
  expect(help).toContain("at a time each (default: 10; with --rate as many as needed, env: BEARHUG_VUS)");
  expect(help.match(/BEARHUG_\w+/g)).toEqual(["BEARHUG_VUS", "BEARHUG_ITERATIONS"]);
});

test("limits that a command cannot enforce are reported as problems", () => {
  const environment = { BEARHUG_LIMIT_VUS: "1", BEARHUG_VUS: "1", BEARHUG_LIMIT_HOSTS: "" };
  const loading = commands.filter((command) => unenforcedLimits(command, environment).length > 0);
  expect(loading.map((command) => command.name()).toSorted()).toEqual([
    "agent",
    "bench",
    "capacity",
    "sweep",
  ]);
  expect(unenforcedLimits(bench.createCommand(), environment)).toEqual([
    "BEARHUG_LIMIT_VUS is set, and bearhug bench cannot be held to it: unset it, or use bearhug run.",
  ]);
});

test("the documentation names no variable that does not exist, and omits only those of hidden options", () => {
  const named = [...documented.matchAll(/BEARHUG_\w+/g)].map(([name]) => name);
  const known = [...variablesOf(commands), monitorTokenVariable];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  const ofHiddenOptions = ["BEARHUG_CACERT", "BEARHUG_LOG_PAYLOAD", "BEARHUG_RUN_ID"];
  expect(known.filter((name) => !named.includes(name))).toEqual(ofHiddenOptions);
});

test("options of bench with the meaning of a run's option share its variable", () => {
  expect(variablesOf(commands)).toContain("BEARHUG_VUS");
  const first = commands.find((command) => command.name() === "bench");
  expect(first?.options.map((option) => variableOf(first, option))).toEqual(
    expect.arrayContaining([
      "BEARHUG_VUS",
      "BEARHUG_ITERATIONS",
      "BEARHUG_METHOD",
      "BEARHUG_STRICT_GENERATOR",
    ]),
  );
});
