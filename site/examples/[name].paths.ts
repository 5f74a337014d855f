import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

import { exampleSlug } from "../site-address.ts";

const folder = join(import.meta.dirname, "../../examples");

interface ExamplePage {
  readonly params: { readonly name: string };
  readonly content: string;
}

/** A page for each file of examples/: its source. */
export default {
  watch: ["../../examples/**/*"],
  paths(): ExamplePage[] {
    return globSync(["**/*.{ts,json,yml,sh,csv,graphql}", "**/.*.yml"], {
      cwd: folder,
      exclude: (path) => path.includes("node_modules"),
    })
      .filter((file) => file !== "package.json")
      .map((file) => {
        const source = readFileSync(join(folder, file), "utf8");
        return {
          params: { name: exampleSlug(file) },
          content: `# ${file}\n\n\`\`\`\`${extname(file).slice(1)}\n${source}\`\`\`\`\n`,
        };
      });
  },
};
