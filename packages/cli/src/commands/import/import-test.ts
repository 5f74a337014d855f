import { basename } from "node:path";

import { importCapture, writeTest } from "@bearhug/har-import";

import { withCapture } from "../../capture-file/read-capture-file.ts";
import type { NewTest } from "../../project/plan-project.ts";

/** Imports a capture as the first test of a project. */
export async function importTest(capture: string): Promise<NewTest> {
  return withCapture(capture, async ({ open, bodyOf }) => {
    const { source, model, dataFiles, envExample } = await writeTest(await importCapture(open, { bodyOf }));
    const { origin, variables } = model;
    const forVariables = [
      { name: ".env.example", text: envExample },
      // The user copies .env.example to .env, which then has secrets.
      { name: ".gitignore", text: ".env\n" },
    ];
    return {
      path: `load/${testName(capture)}.load.ts`,
      source,
      beside: [...dataFiles, ...(envExample === "" ? [] : forVariables)],
      address: origin,
      variables: variables.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    };
  });
}

/** Returns the name of the test's file, made from the capture's name. */
function testName(capture: string): string {
  const words = basename(capture)
    .toLowerCase()
    .replace(/\.(?:har|har\.gz|zip)$/, "")
    .match(/[a-z\d]+/g);
  return words?.join("-") ?? "recorded";
}
