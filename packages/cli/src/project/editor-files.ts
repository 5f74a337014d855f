import {
  addMissing,
  requiredTopLevel,
  requiredElements,
  requiredTexts,
  type RequiredValue,
} from "./json-file.ts";
import { renderJsonFile } from "./json-text.ts";
import type { PlannedFile } from "./planned-file.ts";
import type { Project } from "./project.ts";

const extensionId = "bearhug.bearhug-vscode";

/**
 * Plans the files of VS Code: to debug a test, to run one with its problems in the editor, and to recommend
 * the extension.
 */
export function planEditorFiles({ prefix, read }: Pick<Project, "prefix" | "read">): PlannedFile[] {
  const folder = `\${workspaceFolder}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`}`;
  const configurations = launchConfigurations(folder);
  const plan = (name: string, whole: object, required: readonly RequiredValue[]): PlannedFile => {
    const path = `.vscode/${name}.json`;
    const existing = read(path);
    if (existing === null) return { kind: "new", path, text: renderJsonFile(whole) };
    return addMissing(path, existing, required);
  };
  return [
    plan("launch", { version: "0.2.0", configurations }, [
      requiredTopLevel("version", "0.2.0"),
      ...requiredElements("configurations", "name", configurations),
    ]),
    plan("tasks", { version: "2.0.0", tasks: tasks(folder) }, [
      requiredTopLevel("version", "2.0.0"),
      ...requiredElements("tasks", "label", tasks(folder)),
    ]),
    plan("extensions", { recommendations: [extensionId] }, requiredTexts("recommendations", [extensionId])),
  ];
}

/** A test's bundle is in a cache below `node_modules`, where a debugger ignores source maps by default. */
const sourceMaps = {
  skipFiles: ["<node_internals>/**", "**/node_modules/**", "!**/node_modules/.cache/bearhug/**"],
  outFiles: ["${workspaceFolder}/**/node_modules/.cache/bearhug/**/*.{js,mjs}"],
  resolveSourceMapLocations: null,
};

function launchConfigurations(folder: string): Record<string, unknown>[] {
  const launch = {
    type: "node",
    request: "launch",
    program: programIn(folder),
    cwd: folder,
    console: "integratedTerminal",
    ...sourceMaps,
  };
  return [
    {
      name: "bearhug: debug this test",
      ...launch,
      args: ["run", "${file}", "--workers", "0", "--vus", "1", "--iterations", "1"],
    },
    { name: "bearhug: debug this test in worker threads", ...launch, args: ["run", "${file}"] },
    {
      name: "bearhug: attach to a run (node --inspect-brk)",
      type: "node",
      request: "attach",
      port: 9229,
      ...sourceMaps,
    },
  ];
}

function tasks(folder: string): Record<string, unknown>[] {
  return [
    {
      label: "bearhug: run this test",
      type: "process",
      command: "node",
      args: [programIn(folder), "run", "${file}", "--problems"],
      options: { cwd: folder },
      group: "test",
      presentation: { clear: true },
      problemMatcher: problemMatchers(folder),
    },
  ];
}

/** Returns matchers for the lines of `--problems`, and for the errors of a test that cannot run. */
function problemMatchers(folder: string): object[] {
  const matcher = { owner: "bearhug", source: "bearhug", fileLocation: ["autoDetect", folder] };
  const place = { file: 1, line: 2, column: 3 };
  return [
    {
      ...matcher,
      pattern: {
        regexp: "^(\\S.*?):(\\d+):(\\d+): (error|warning): (.*)$",
        ...place,
        severity: 4,
        message: 5,
      },
    },
    {
      ...matcher,
      severity: "error",
      pattern: { regexp: "^bearhug: (.+?):(\\d+):(\\d+): (.*)$", ...place, message: 4 },
    },
  ];
}

function programIn(folder: string): string {
  return `${folder}/node_modules/bearhug/bin/bearhug.js`;
}
