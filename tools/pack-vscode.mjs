// node tools/pack-vscode.mjs [file.vsix]: bundles the VS Code extension and packs it exactly as it is
// published.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { licencesOf } from "./bundle-packages.mjs";
import { changelogPath, linksOfTag } from "./changelog.mjs";
import { publishedManifest } from "./repository.mjs";
import { readJson, root } from "./workspace.mjs";

const source = join(root, "packages/vscode");
const staged = join(root, "node_modules/.cache/bearhug/vscode");
const [written = join(staged, "bearhug-vscode.vsix")] = process.argv.slice(2);

rmSync(staged, { recursive: true, force: true });
await bundleExtension(join(staged, "dist/extension.cjs"));
for (const name of ["images", "snippets", "README.md"])
  cpSync(join(source, name), join(staged, name), { recursive: true });
cpSync(join(root, "LICENSE"), join(staged, "LICENSE"));
const manifest = /** @type {Record<string, unknown>} */ (readJson(join(source, "package.json")));
writeFileSync(
  join(staged, "package.json"),
  `${JSON.stringify(publishedManifest(manifest, source), null, 2)}\n`,
);
const changelog = linksOfTag(readFileSync(changelogPath, "utf8"), `v${String(manifest["version"])}`);
writeFileSync(join(staged, "CHANGELOG.md"), changelog);
// Reproducible: the same sources make the same bytes on each machine, because files have the mode and time
// that npm and pnpm use.
for (const entry of readdirSync(staged, { recursive: true, withFileTypes: true }))
  if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644);

const vsce = createRequire(join(source, "package.json")).resolve("@vscode/vsce/vsce");
const out = resolve(written);
mkdirSync(dirname(out), { recursive: true });
const { status } = spawnSync(process.execPath, [vsce, "package", "--no-dependencies", "--out", out], {
  cwd: staged,
  stdio: "inherit",
  env: { ...process.env, TZ: "UTC", SOURCE_DATE_EPOCH: "499162500" },
});
process.exitCode = status ?? 1;

/** @param {string} outfile */
async function bundleExtension(outfile) {
  const { metafile } = await build({
    absWorkingDir: source,
    entryPoints: ["src/extension.ts"],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22",
    // VS Code's extension host provides this module.
    external: ["vscode"],
    minifySyntax: true,
    metafile: true,
    logLevel: "warning",
  });
  writeFileSync(
    join(dirname(outfile), "THIRD-PARTY-NOTICES.txt"),
    licencesOf(source, Object.keys(metafile.inputs)),
  );
}
