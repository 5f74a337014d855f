import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

import type { OnLoadResult, Plugin, PluginBuild } from "esbuild";

/** Words of a module that asks for its own place. A match in a string or a name costs a little time and changes nothing. */
const mayAskForItsPlace = /\bmeta\b|\b__(?:dirname|filename)\b/;

/**
 * Gives each module its own `import.meta.url`, `.dirname` and `.filename`, and `__dirname` and `__filename`: those of the
 * source file. Without it they would be the bundle's, and files beside the test would not be found.
 */
export const importMetaPlugin: Plugin = {
  name: "import-meta",
  setup(bundle) {
    bundle.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
      const text = await readFile(path, "utf8").catch(() => "");
      return mayAskForItsPlace.test(text) ? loadWithPlace(path, bundle.esbuild) : null;
    });
  },
};

/**
 * Replaces the expressions with esbuild's own parser, so that strings and comments stay as they are. The inline source map
 * leads the bundle's map to what the author wrote.
 */
async function loadWithPlace(path: string, { build }: PluginBuild["esbuild"]): Promise<OnLoadResult | null> {
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      bundle: false,
      write: false,
      outdir: dirname(path),
      platform: "node",
      target: "node22",
      sourcemap: "inline",
      logLevel: "silent",
      define: placeOf(path),
    });
    const [output] = outputFiles;
    // As TypeScript it may still re-export a type by its name alone.
    return output === undefined ? null : { contents: output.text, loader: /tsx?$/.test(path) ? "ts" : "js" };
  } catch {
    // The bundle itself says what esbuild cannot read, and where.
    return null;
  }
}

function placeOf(path: string): Record<string, string> {
  const meta = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
  return {
    // As a whole too: `const { dirname } = import.meta`.
    "import.meta": JSON.stringify(meta),
    "import.meta.url": JSON.stringify(meta.url),
    "import.meta.dirname": JSON.stringify(meta.dirname),
    "import.meta.filename": JSON.stringify(meta.filename),
    "import.meta.resolve": "import.meta.resolve",
    __dirname: JSON.stringify(meta.dirname),
    __filename: JSON.stringify(meta.filename),
  };
}
