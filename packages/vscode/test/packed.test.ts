import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromBuffer, type Entry } from "yauzl";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const staged = join(root, "node_modules/.cache/bearhug/vscode");

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly main: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

test("vsce packs the extension: one module, its snippets, README, changelog and licences", async () => {
  const { status, stderr } = spawnSync(process.execPath, ["tools/pack-vscode.mjs"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  expect((await namesIn(join(staged, "bearhug-vscode.vsix"))).toSorted()).toEqual([
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE.txt",
    "extension/changelog.md",
    "extension/dist/THIRD-PARTY-NOTICES.txt",
    "extension/dist/extension.cjs",
    "extension/images/icon.png",
    "extension/package.json",
    "extension/readme.md",
    "extension/snippets/tests.json",
  ]);
  const { publisher, name, main, contributes } = JSON.parse(
    readFileSync(join(staged, "package.json"), "utf8"),
  ) as Manifest;
  // bearhug init recommends the extension by this id.
  const recommending = readFileSync(join(root, "packages/cli/src/project/editor-files.ts"), "utf8");
  expect(recommending).toContain(`"${publisher}.${name}"`);
  const code = readFileSync(join(staged, main), "utf8");
  const required = new Set(Array.from(code.matchAll(/require\("([^"]+)"\)/g), ([, module]) => module ?? ""));
  expect([...required].filter((module) => !module.startsWith("node:"))).toEqual(["vscode"]);
  for (const { command } of contributes.commands) expect(code).toContain(`"${command}"`);
  const settings = Object.keys(contributes.configuration.properties);
  for (const setting of settings) expect(code).toContain(`"${setting.replace("bearhug.", "")}"`);
  const readme = readFileSync(join(staged, "README.md"), "utf8");
  for (const setting of settings) expect(readme).toContain(`\`${setting}\``);
});

async function namesIn(path: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    fromBuffer(readFileSync(path), { lazyEntries: false }, (error, zip) => {
      if (error !== null) {
        reject(error);
        return;
      }
      const names: string[] = [];
      zip.on("entry", ({ fileName }: Entry) => names.push(fileName));
      zip.on("end", () => resolve(names));
      zip.on("error", reject);
    });
  });
}
