import { basename } from "node:path";

import { importCapture, writeTest } from "@bearhug/har-import";

import { withCapture } from "../../capture-file/read-capture-file.ts";
import type { NewTest } from "../../project/plan-project.ts";

const maxLineWidth = 80;

/** Returns the source of a first test: a few virtual users who visit one address. */
export function writeFirstTest(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `import { defineTest } from "@bearhug/sdk";

/** Five virtual users visit one page for ten seconds. */
export default defineTest({
${property("baseUrl", origin)}
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 5,
      duration: "10s",
      exec: async ({ http, check, think }) => {
${request(pathname + search)}
        check(response, { "status is 200": ({ status }) => status === 200 });
        await think("200ms", "500ms");
      },
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    http_req_duration: ["p(95)<500ms"],
    checks: ["rate>99%"],
  },
});
`;
}

function property(name: string, value: string): string {
  const line = `  ${name}: ${JSON.stringify(value)},`;
  return line.length <= maxLineWidth ? line : `  ${name}:\n    ${JSON.stringify(value)},`;
}

function request(path: string): string {
  const line = `        const response = await http.get(${JSON.stringify(path)});`;
  if (line.length <= maxLineWidth) return line;
  return `        const response = await http.get(\n          ${JSON.stringify(path)},\n        );`;
}

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
