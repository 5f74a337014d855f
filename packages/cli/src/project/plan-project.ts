import { planAgentsFile } from "./agents-file.ts";
import { planEditorFiles } from "./editor-files.ts";
import { planIgnoredFiles } from "./ignored-files.ts";
import { readTexts, addMissing, requiredEntries } from "./json-file.ts";
import { renderJsonFile } from "./json-text.ts";
import type { PlannedFile } from "./planned-file.ts";
import type { Project } from "./project.ts";
import { writeWorkflow } from "./workflow.ts";

/** A test for a project, with the files that it reads. */
export interface NewTest {
  /** The path, relative to the project's folder. */
  readonly path: string;
  readonly source: string;
  /** Files beside the test; names are relative to its folder. */
  readonly beside: readonly { readonly name: string; readonly text: string }[];
  /** The site to load. */
  readonly address: string;
  /** Names of the variables that the test needs. */
  readonly variables: readonly string[];
}

/**
 * Plans the files that prepare a project for load tests, in the order in which they are listed to the user.
 * No existing file is replaced.
 */
export function planProject(
  project: Project,
  test: NewTest,
  { version, forAgents = false }: { readonly version: string; readonly forAgents?: boolean },
): PlannedFile[] {
  const { prefix, read, packageManager } = project;
  const create = (path: string, text: string): PlannedFile =>
    read(path) === null ? { kind: "new", path, text } : { kind: "kept", path, why: "exists" };
  const manifest = read(`${prefix}package.json`);
  const folder = `${prefix}${test.path.slice(0, test.path.lastIndexOf("/") + 1)}`;
  const own = create(`${prefix}${test.path}`, test.source);
  return [
    own,
    // If a test of that name exists, files beside it would belong to another test.
    ...(own.kind === "new" ? test.beside.map(({ name, text }) => create(folder + name, text)) : []),
    planManifest(`${prefix}package.json`, manifest, {
      name: project.name,
      scripts: scriptsFor(test.path),
      devDependencies: {
        "@bearhug/sdk": `^${version}`,
        "@types/node": nodeTypesVersions,
        bearhug: `^${version}`,
        typescript: typescriptVersions,
      },
    }),
    create(`${folder}tsconfig.json`, tsconfig),
    ...warnOfCompiledTests(project, test.path.slice(0, test.path.indexOf("/"))),
    ...planEditorFiles(project),
    create(
      ".github/workflows/load-test.yml",
      writeWorkflow({
        packageManager,
        prefix,
        test: test.path,
        address: test.address,
        startsSite: isOnThisMachine(test.address) && /"start"\s*:/.test(manifest ?? ""),
        secrets: test.variables,
      }),
    ),
    ...planIgnoredFiles(project),
    ...(forAgents ? [planAgentsFile(project)] : []),
  ];
}

function scriptsFor(test: string): Record<string, string> {
  return {
    load: `bearhug run ${test}`,
    "load:debug": `node --inspect-brk node_modules/bearhug/bin/bearhug.js run ${test} --workers 0`,
  };
}

/** TypeScript checks the types of tests, in `bearhug check` and in the editor. */
const typescriptVersions = "^6.0.0";

/** Tests run in Node and may use its APIs. All versions that bearhug supports have the APIs of this one. */
const nodeTypesVersions = "^22.0.0";

/**
 * The tsconfig in the tests' folder. The application's options (CommonJS, an old target, the DOM) do not fit
 * tests, and its `include` rarely contains them. The options match bundled tests: imports need no file
 * extension, and packages may have any module format.
 */
const tsconfig = renderJsonFile({
  compilerOptions: {
    target: "es2024",
    lib: ["es2024"],
    module: "preserve",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  },
});

function isOnThisMachine(address: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);
}

/**
 * Returns a note on the project's own `tsconfig.json` if it also compiles the tests, which may break the
 * application's build.
 */
function warnOfCompiledTests(
  { prefix, read }: Pick<Project, "prefix" | "read">,
  folder: string,
): PlannedFile[] {
  const path = `${prefix}tsconfig.json`;
  const existing = read(path);
  if (existing === null || !hasTests(existing, folder)) return [];
  const why = `compiles ${folder}, too; add "${folder}" to its "exclude" if your build must not`;
  return [{ kind: "kept", path, why }];
}

/** True if a `tsconfig.json` includes the tests. Without a list of files, it includes every file below it. */
function hasTests(tsconfig: string, folder: string): boolean {
  const listed = readTexts(tsconfig, "include") ?? (readTexts(tsconfig, "files") === null ? ["**/*"] : []);
  const isOf = (pattern: string): boolean =>
    /^(?:\.\/)?(?:\*|$)/.test(pattern) || pattern.replace(/^\.\//, "").split("/")[0] === folder;
  return listed.some(isOf) && !(readTexts(tsconfig, "exclude") ?? []).some(isOf);
}

/** The entries to add to a `package.json`. */
interface RequiredEntries {
  /** The name of a new package. */
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Plans a `package.json`: adds missing scripts and packages; existing ones keep their values. */
function planManifest(path: string, existing: string | null, required: RequiredEntries): PlannedFile {
  if (existing !== null) {
    return addMissing(path, existing, [
      ...requiredEntries("devDependencies", required.devDependencies, (name) => [["dependencies", name]]),
      ...requiredEntries("scripts", required.scripts),
    ]);
  }
  const manifest = {
    name: required.name,
    private: true,
    type: "module",
    scripts: required.scripts,
    devDependencies: required.devDependencies,
  };
  return { kind: "new", path, text: renderJsonFile(manifest) };
}
