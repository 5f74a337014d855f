// node tools/pack-vscode.mjs [file.vsix]: bundles the VS Code extension and packs it as it is published.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { readJson, root } from "./workspace.mjs";

const source = join(root, "packages/vscode");
const staged = join(root, "node_modules/.cache/bearhug/vscode");
const [written = join(staged, "bearhug-vscode.vsix")] = process.argv.slice(2);

rmSync(staged, { recursive: true, force: true });
await bundleExtension(join(staged, "dist/extension.cjs"));
for (const name of ["images", "snippets", "README.md"])
  cpSync(join(source, name), join(staged, name), { recursive: true });
for (const name of ["CHANGELOG.md", "LICENSE"]) cpSync(join(root, name), join(staged, name));
const manifest = /** @type {Record<string, unknown>} */ (readJson(join(source, "package.json")));
// The workspace's own versions mean nothing outside of it, and nothing of them is in the bundle.
delete manifest["devDependencies"];
writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

const vsce = createRequire(join(source, "package.json")).resolve("@vscode/vsce/vsce");
const out = resolve(written);
mkdirSync(dirname(out), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [
    vsce,
    "package",
    "--no-dependencies",
    ...(manifest["repository"] === undefined
      ? ["--allow-missing-repository", "--no-rewrite-relative-links"]
      : []),
    "--out",
    out,
  ],
  { cwd: staged, stdio: "inherit" },
);
process.exitCode = status ?? 1;

/** @param {string} outfile */
async function bundleExtension(outfile) {
  await build({
    entryPoints: [join(source, "src/extension.ts")],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22",
    // VS Code's extension host has this module.
    external: ["vscode"],
    minifySyntax: true,
    logLevel: "warning",
  });
}
