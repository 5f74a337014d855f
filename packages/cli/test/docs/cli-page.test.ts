import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Command } from "commander";
import { expect, test } from "vitest";

import { formatText } from "../../../../tools/format-text.mjs";
import { takeVariables } from "../../src/commands/command-line/variables.ts";
import { everyCommand } from "./every-command.ts";
import { renderCliPage } from "./render-cli-page.ts";

const file = join(import.meta.dirname, "../../../../docs/cli.md");
const page = readFileSync(file, "utf8");

test("docs/cli.md has every option of every command (vitest --update adds missing ones)", async () => {
  const rendered = renderCliPage(page, await everyCommand());
  await expect(await formatText(file, rendered)).toMatchFileSnapshot(file);
});

test("docs/cli.md lists every command", async () => {
  const listed = [...page.matchAll(/^bearhug (k8s [a-z]+|[a-z-]+)/gm)].map(([, name]) => name);
  // `bearhug <url>` is the command "bench".
  const names = (await everyCommand()).map((command) => command.name()).filter((name) => name !== "bench");
  expect(listed.toSorted()).toEqual([...names, "help"].toSorted());
});

const small = [
  "# Command line\n\n## `serve`\n\nTakes [shared options](#shared-options).\n",
  "| option | variable | default | meaning |",
  "| --- | --- | --- | --- |",
  "| `--old` | `BEARHUG_OLD` | | gone |",
  "| `-p`, `--port <n>` | `BEARHUG_PORT` | 80 | the *port* |",
  "\n## Shared options\n",
  "| option | variable | default | meaning |",
  "| --- | --- | --- | --- |",
  "| `--quiet` | `BEARHUG_QUIET` | | say less |",
  "\n## Variables\n",
].join("\n");

test("an update of the page keeps meanings, corrects defaults, drops old options, and adds options and commands", () => {
  const serve = new Command("serve")
    .option("-p, --port <n>", "port", "8080")
    .option("--quiet", "print less")
    .option("--only <a|b>", "keep some");
  const grow = new Command("grow").description("grow things").usage("<file>").option("--fast", "grow faster");
  const rows = renderCliPage(small, [takeVariables(serve, {}), takeVariables(grow, {})])
    .split("\n")
    .filter((line) => /^(## |`bearhug|\| `)/.test(line));
  expect(rows).toEqual([
    "## `serve`",
    "| `-p`, `--port <n>` | `BEARHUG_PORT` | 8080 | the *port* |",
    "| `--only <a\\|b>` | `BEARHUG_ONLY` |  | keep some |",
    "## Shared options",
    "| `--quiet` | `BEARHUG_QUIET` |  | say less |",
    "## `grow`",
    "`bearhug grow <file>`: grow things",
    "| `--fast` | `BEARHUG_FAST` |  | grow faster |",
    "## Variables",
  ]);
});
