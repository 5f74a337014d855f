import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { everyCommand } from "../docs/every-command.ts";

function startWith(given: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  const script = join(temporaryFolder(), "script.js");
  writeFileSync(script, "process.stdout.write(String(process.argv.length))");
  return spawnSync(process.execPath, [script, ...given], { encoding: "utf8" });
}

test("Node takes no option that help offers as its own, whatever the value", async () => {
  const commands = await everyCommand();
  const options = commands.flatMap((command) => command.options.filter(({ hidden }) => !hidden));
  const names = [...new Set(options.flatMap(({ flags }) => flags.match(/(?<!\S)--?[\w-]+/g) ?? []))];
  expect(names).toContain("--env-from");
  const given = names.flatMap((name) => [name, "/no/such/file", `${name}=/no/such/file`]);
  expect(startWith(given)).toMatchObject({ status: 0, stdout: String(given.length + 2) });
  // Node takes --env-file even after the script, hence the name --env-from. If this fails, Node has changed.
  expect(startWith(["--env-file", "/no/such/file"]).status).toBe(9);
});
