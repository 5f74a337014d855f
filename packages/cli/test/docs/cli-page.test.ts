import { readFileSync } from "node:fs";

import type { Command } from "commander";
import { expect, test } from "vitest";

import * as bench from "../../src/commands/bench.ts";
import * as capacity from "../../src/commands/capacity.ts";
import * as demo from "../../src/commands/demo.ts";
import * as doctor from "../../src/commands/doctor.ts";
import * as importCommand from "../../src/commands/import.ts";
import * as mock from "../../src/commands/mock.ts";
import * as report from "../../src/commands/report.ts";
import * as run from "../../src/commands/run.ts";
import * as sweep from "../../src/commands/sweep.ts";
import { takeVariables } from "../../src/commands/variables.ts";

const page = readFileSync(new URL("../../../../docs/cli.md", import.meta.url), "utf8");

const load = ["HTTP options", "Load and report options"];

test.each([
  { name: "run", module: run, sections: ["`run`", ...load] },
  { name: "bench", module: bench, sections: ["`bench`", "Request options", ...load] },
  { name: "sweep", module: sweep, sections: ["`sweep`", "Request options", ...load] },
  { name: "capacity", module: capacity, sections: ["`capacity`", "Request options", ...load] },
  { name: "import", module: importCommand, sections: ["`import`"] },
  { name: "report", module: report, sections: ["`report`"] },
  { name: "mock", module: mock, sections: ["`mock`"] },
  { name: "demo", module: demo, sections: ["`demo`"] },
  { name: "doctor", module: doctor, sections: ["`doctor`"] },
])("docs/cli.md and bearhug $name --help have the same options and defaults", ({ module, sections }) => {
  const shown = shownOptions(module.createCommand());
  const documented = new Map(sections.flatMap(documentedOptions));
  expect(documented).toEqual(shown);
});

test("docs/cli.md lists every command that bearhug has", () => {
  const listed = [...page.matchAll(/^bearhug ([a-z]+)/gm)].map(([, name]) => name);
  const names = [run, sweep, capacity, importCommand, report, mock, demo, doctor].map(({ createCommand }) =>
    createCommand().name(),
  );
  expect(listed).toEqual([...names, "help"]);
});

/** The default of every option in a command's help, by its flags; empty if there is none. */
function shownOptions(command: Command): Map<string, string> {
  const lines = takeVariables(command, {})
    .configureOutput({ getOutHelpWidth: () => 1000 })
    .helpInformation()
    .split("\n");
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, flags, text = ""] = /^ {2}((?:-\w, )?--\S.*?) {2,}(.*)$/.exec(line) ?? [];
      if (flags === undefined || flags === "-h, --help") return [];
      return [[flags, /\(default: (.*?)(?:, env: \w+)?\)$/.exec(text)?.[1] ?? ""]];
    }),
  );
}

/** The same, from the table below a heading of docs/cli.md. */
function documentedOptions(heading: string): [string, string][] {
  const [, after = ""] = page.split(`\n## ${heading}\n`);
  const rows = after.split(/\n## /, 1)[0]?.match(/^\|.*\|$/gm) ?? [];
  const [titles = [], ...cells] = rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("`", "").replaceAll("\\|", "|")),
  );
  const defaultColumn = titles.indexOf("default");
  return cells
    .filter(([flags = ""]) => flags.includes("--") && !flags.startsWith("---"))
    .map(([flags = "", ...others]) => [flags, others[defaultColumn - 1] ?? ""]);
}
