import { Linter } from "eslint";
import * as prettier from "prettier";
import { describe, expect, test } from "vitest";
import tseslint from "typescript-eslint";
import { parse } from "yaml";
import * as z from "zod";

import { writeFirstTest } from "../../src/commands/start/first-test.ts";
import { planProject } from "../../src/project/plan-project.ts";
import type { PlannedFile } from "../../src/project/planned-file.ts";
import { packageManagers } from "../../src/project/project.ts";
import { fill } from "../action/expressions.ts";
import { projectOf } from "./project-of.ts";

const address = "http://127.0.0.1:8080/";
const firstTest = {
  path: "load/first.load.ts",
  source: writeFirstTest(address),
  beside: [],
  address,
  variables: [],
};
const plan = (...project: Parameters<typeof projectOf>) =>
  planProject(projectOf(...project), firstTest, { version: "1.2.3" });

/** Returns the files of a project after a plan was carried out. */
function apply(files: Readonly<Record<string, string>>, planned: readonly PlannedFile[]) {
  const written = planned.filter((file) => file.kind !== "kept");
  return { ...files, ...Object.fromEntries(written.map(({ path, text }) => [path, text])) };
}

describe("an empty folder", () => {
  const written = apply({}, plan({}));

  test("gets a test, its project, the editor's files and a workflow", () => {
    expect(Object.keys(written)).toEqual([
      "load/first.load.ts",
      "package.json",
      "load/tsconfig.json",
      ".vscode/launch.json",
      ".vscode/tasks.json",
      ".vscode/extensions.json",
      ".github/workflows/load-test.yml",
      ".gitignore",
    ]);
  });

  test("has nothing left to write the second time", () => {
    const again = plan(written);
    expect(again.filter(({ kind }) => kind !== "kept")).toEqual([]);
  });

  test.for(Object.entries(written).filter(([path]) => path !== ".gitignore"))(
    "gets %s in prettier's format",
    async ([path, text]) => {
      expect(await prettier.check(text, { filepath: path })).toBe(true);
    },
  );
});

test.for([
  "http://127.0.0.1:8080/",
  "https://shop.example.test/products?sort=price&page=2#reviews",
  `https://${"long-".repeat(12)}name.example.test/${"deep/".repeat(12)}`,
  'http://[::1]:3000/a"b`${c}\\d',
])("the test of %s is formatted, and loads that page", async (url) => {
  const source = writeFirstTest(url);
  expect(await prettier.check(source, { parser: "typescript" })).toBe(true);
  const [, origin = "", path = ""] = /baseUrl:\s+"(.*)",[^]*http\.get\(\s*"(.*)",?\s*\)/.exec(source) ?? [];
  const { hash, href } = new URL(url);
  expect(origin + path).toBe(href.slice(0, href.length - hash.length));
});

test("the first test passes typescript-eslint's strict and stylistic presets", () => {
  const presets = [...tseslint.configs.strict, ...tseslint.configs.stylistic];
  const messages = new Linter().verify(firstTest.source, presets, "load/first.load.ts");
  expect(messages).toEqual([]);
  expect(new Linter().verify("export var a: any;", presets, "load/a.ts").length).toBeGreaterThan(0);
});

describe("existing files", () => {
  const launch =
    '{\n\t// ours\n\t"version": "0.2.0",\n\t"configurations": [\n\t\t{ "name": "app" }, // last\n\t],\n}\n';

  test("keep their comments, their own entries and their indentation", () => {
    const after = apply({}, plan({ ".vscode/launch.json": launch }))[".vscode/launch.json"] ?? "";
    expect(after).toContain("\t// ours\n");
    expect(after).toContain("// last");
    expect(after).toMatch(/"name": "app"/);
    expect(after).toContain('\t\t{\n\t\t\t"name": "bearhug: debug this test",\n\t\t\t"type": "node",\n');
    expect(after.match(/"name"/g)).toHaveLength(4);
  });

  test.for(["{", "[]", '"text"', "", '{ "configurations": {} }', '{ "a": 1 "b": 2 }'])(
    "are kept if nothing can be added to them: %j",
    (text) => {
      const planned = plan({ ".vscode/launch.json": text, "package.json": text });
      expect(planned.find(({ path }) => path === ".vscode/launch.json")?.kind).toBe("kept");
    },
  );

  test("get only what they lack; existing scripts and packages stay", () => {
    const manifest =
      '{\r\n    "scripts": { "load": "k6 run" },\r\n    "dependencies": { "bearhug": "0.0.9" }\r\n}\r\n';
    const planned = plan({ "package.json": manifest }).find(({ path }) => path === "package.json");
    expect(planned).toMatchObject({
      kind: "changed",
      added: "@bearhug/sdk, @types/node, typescript, load:debug",
    });
    const { text = "" } = planned?.kind === "changed" ? planned : {};
    expect(JSON.parse(text)).toMatchObject({
      scripts: { load: "k6 run" },
      dependencies: { bearhug: "0.0.9" },
      devDependencies: { "@bearhug/sdk": "^1.2.3" },
    });
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("are never replaced, whatever they contain", () => {
    const planned = plan({ "load/first.load.ts": "mine", ".github/workflows/load-test.yml": "mine" });
    const kept = planned.filter(({ kind }) => kind === "kept").map(({ path }) => path);
    expect(kept).toEqual(["load/first.load.ts", ".github/workflows/load-test.yml"]);
  });
});

describe("an application's tsconfig.json", () => {
  const ownRow = (tsconfig: string) =>
    plan({ "tsconfig.json": tsconfig }).find(({ path }) => path === "tsconfig.json");

  test.for([
    '{ "compilerOptions": { "rootDir": "src" } } // TypeScript',
    '{ "include": ["next-env.d.ts", "**/*.ts"] }',
    '{ "include": ["./load"], }',
    '{ "exclude": ["node_modules"] }',
  ])("that compiles the tests, too, is mentioned and kept: %s", (tsconfig) => {
    const why = 'compiles load, too; add "load" to its "exclude" if your build must not';
    expect(ownRow(tsconfig)).toEqual({ kind: "kept", path: "tsconfig.json", why });
  });

  test.for([
    '{ "include": ["src"] }',
    '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
    '{ "exclude": ["node_modules", "load"] }',
  ])("that does not compile them is not mentioned: %s", (tsconfig) => {
    expect(ownRow(tsconfig)).toBeUndefined();
  });
});

describe("the workflow", () => {
  const schema = z.object({
    on: z.record(z.string(), z.unknown()),
    jobs: z.object({ load: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }),
  });
  const workflowOf = (...project: Parameters<typeof projectOf>) => {
    const text = apply({}, plan(...project))[".github/workflows/load-test.yml"] ?? "";
    const { on, jobs } = schema.parse(parse(text));
    return {
      events: Object.keys(on),
      lines: jobs.load.steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
    };
  };

  test("is started by hand if the project has no start script", () => {
    const { events, lines } = workflowOf({});
    expect(events).toEqual(["workflow_dispatch"]);
    expect(lines.at(-1)).toMatch(/^npx bearhug run load\/first\.load\.ts --target "\$TARGET" /);
  });

  test("is a gate for pull requests if npm start starts a site on this machine", () => {
    const { events, lines } = workflowOf({ "package.json": '{ "scripts": { "start": "node site.js" } }' });
    expect(events).toEqual(["pull_request", "workflow_dispatch"]);
    expect(lines.join("\n")).toContain("npm start > ");
    expect(lines.at(-1)).toMatch(/^npx bearhug run load\/first\.load\.ts --out /);
  });

  test.for(packageManagers)("installs with %s, and runs the command that it installed", (packageManager) => {
    const { lines } = workflowOf({}, { packageManager });
    const words = { npm: "npm ci", pnpm: "pnpm install", yarn: "yarn install", bun: "bun install" };
    expect(lines.join("\n")).toContain(words[packageManager]);
  });

  test("passes a test's variables from the repository's secrets", () => {
    const planned = planProject(
      projectOf({}),
      { ...firstTest, variables: ["SITE_USER"] },
      { version: "1.2.3" },
    );
    expect(apply({}, planned)[".github/workflows/load-test.yml"]).toContain(
      "SITE_USER: ${{ secrets.SITE_USER }}",
    );
  });

  test("does not interpret an address as an expression", () => {
    const address = "http://127.0.0.1:8080/?a=${{ github.token }}&b='${{";
    const project = projectOf({ "package.json": '{ "scripts": { "start": "node site.js" } }' });
    const planned = planProject(project, { ...firstTest, address }, { version: "1.2.3" });
    const [, target = ""] =
      /TARGET: (.*)/.exec(apply({}, planned)[".github/workflows/load-test.yml"] ?? "") ?? [];
    expect(fill(z.string().parse(parse(target)), {})).toBe(address);
  });

  test("of a project in a subfolder runs there, and VS Code finds the command there", () => {
    const written = apply({}, plan({}, { prefix: "apps/shop/" }));
    expect(written[".github/workflows/load-test.yml"]).toContain('working-directory: "apps/shop"');
    expect(written[".vscode/launch.json"]).toContain("${workspaceFolder}/apps/shop/node_modules/bearhug/bin");
    expect(Object.keys(written)).toContain("apps/shop/load/first.load.ts");
  });
});

describe("AGENTS.md, for coding agents", () => {
  const agentsFile = (files: Readonly<Record<string, string>>): PlannedFile | undefined =>
    planProject(projectOf(files), firstTest, { version: "1.2.3", forAgents: true }).find(({ path }) =>
      path.endsWith("AGENTS.md"),
    );

  test("is written only on request", () => {
    expect(plan({}).map(({ path }) => path)).not.toContain("AGENTS.md");
    expect(agentsFile({})).toMatchObject({
      kind: "new",
      text: expect.stringMatching(/^## Load tests\n[^]*npx bearhug check FILE --json/) as string,
    });
  });

  test("keeps its text, and gets the section only once", () => {
    const changed = agentsFile({ "AGENTS.md": "# Shop\r\n\r\nUse tabs.\r\n" });
    expect(changed).toMatchObject({
      kind: "changed",
      text: expect.stringMatching(/^# Shop\r\n\r\nUse tabs\.\r\n\r\n## Load tests\r\n/) as string,
    });
    const text = changed?.kind === "changed" ? changed.text : "";
    expect(agentsFile({ "AGENTS.md": text })).toMatchObject({ kind: "kept" });
  });

  test("is in prettier's format", async () => {
    const file = agentsFile({});
    expect(await prettier.check(file?.kind === "new" ? file.text : "", { filepath: "AGENTS.md" })).toBe(true);
  });
});
