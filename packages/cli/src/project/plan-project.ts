import { planAgentsFile } from "./agents-file.ts";
import { planEditorFiles } from "./editor-files.ts";
import { planIgnoredFiles } from "./ignored-files.ts";
import { readTexts, addMissing, inEntries } from "./json-file.ts";
import { renderJsonFile } from "./json-text.ts";
import type { PlannedFile } from "./planned-file.ts";
import type { Project } from "./project.ts";
import { writeWorkflow } from "./workflow.ts";

/** A test for a project, with the files that it reads. */
export interface NewTest {
  /** From the project's folder. */
  readonly path: string;
  readonly source: string;
  /** Beside the test; names are relative to its folder. */
  readonly beside: readonly { readonly name: string; readonly text: string }[];
  /** The site that it loads. */
  readonly address: string;
  /** Names of the variables that it needs. */
  readonly variables: readonly string[];
}

/** The files that make a project ready for load tests, in the order of telling. Nothing that is there is replaced. */
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
    // The files beside a test that stays would be another test's.
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

/** Checks the types of tests, in `bearhug check` as in the editor. */
const typescriptVersions = "^6.0.0";

/** Tests run in Node, and may use what it has. The versions that bearhug runs on have all of this. */
const nodeTypesVersions = "^22.0.0";

/**
 * In the tests' own folder: the application's options (CommonJS, an old target, the DOM) are not those of a test, and its
 * `include` rarely has the tests. As tests are bundled: imports need no file extension, and packages may be of any kind.
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

/** The project's own `tsconfig.json`, if it compiles the tests, too: then the application's build may stumble over them. */
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

/** A project without a list of files has every file below it. */
function hasTests(tsconfig: string, folder: string): boolean {
  const listed = readTexts(tsconfig, "include") ?? (readTexts(tsconfig, "files") === null ? ["**/*"] : []);
  const isOf = (pattern: string): boolean =>
    /^(?:\.\/)?(?:\*|$)/.test(pattern) || pattern.replace(/^\.\//, "").split("/")[0] === folder;
  return listed.some(isOf) && !(readTexts(tsconfig, "exclude") ?? []).some(isOf);
}

/** The entries that a `package.json` gets. */
interface WantedManifest {
  /** The name of a new one. */
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Adds scripts and packages that are missing; those that are there keep their values. */
function planManifest(path: string, existing: string | null, wanted: WantedManifest): PlannedFile {
  if (existing !== null) {
    return addMissing(path, existing, [
      ...inEntries("devDependencies", wanted.devDependencies, (name) => [["dependencies", name]]),
      ...inEntries("scripts", wanted.scripts),
    ]);
  }
  const manifest = {
    name: wanted.name,
    private: true,
    type: "module",
    scripts: wanted.scripts,
    devDependencies: wanted.devDependencies,
  };
  return { kind: "new", path, text: renderJsonFile(manifest) };
}
