import { printableLines } from "@bearhug/text/as-lines";

import type { NewTest } from "../../project/plan-project.ts";
import type { PlannedFile } from "../../project/planned-file.ts";
import { linesOf, type PackageManager } from "../../project/project.ts";

/**
 * Renders the files of a plan, one per line. `root`: the folder that contains them; null for the current one.
 */
export function renderPlan(plan: readonly PlannedFile[], root: string | null): string {
  const widest = Math.max(...plan.map(({ path }) => path.length));
  const lines = plan.map((file) =>
    `  ${file.kind.padEnd(7)}  ${file.path.padEnd(widest)}  ${describe(file)}`.trimEnd(),
  );
  const isDone = plan.every(({ kind }) => kind === "kept");
  return printableLines([
    ...(root === null ? [] : [`In ${root}:`]),
    ...lines,
    ...(isDone ? ["Everything is there already: nothing to write."] : []),
  ]);
}

function describe(file: PlannedFile): string {
  if (file.kind === "new") return "";
  return file.kind === "changed" ? `adds ${file.added}` : file.why;
}

/**
 * Renders the next commands, to run in the current folder. `folder`: the path from there to the project;
 * empty if they are the same.
 */
export function renderNext(manager: PackageManager, test: NewTest, folder: string): string {
  const { install, exec } = linesOf[manager];
  const env = test.variables.length === 0 ? "" : " --env-from load/.env";
  return printableLines([
    "Next:",
    ...(folder === "" ? [] : [`  cd ${folder}`]),
    `  ${install}`,
    ...(env === "" ? [] : ["  cp load/.env.example load/.env  # and fill it in"]),
    `  ${exec} bearhug check ${test.path}${env}`,
    `  ${exec} bearhug run ${test.path}${env}`,
  ]);
}
