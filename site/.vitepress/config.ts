import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { slug } from "github-slugger";
import { defineConfig } from "vitepress";

import { hasOwner, repository } from "../../tools/repository.mjs";
import { foldSecondColumn } from "../fold-second-column.ts";
import { linkPages } from "../link-pages.ts";
import { navigation } from "../navigation.ts";
import { readPages, writeIndex, writeWhole } from "../../tools/llms.mjs";
import { siteAddress } from "../site-address.ts";

const root = join(import.meta.dirname, "../..");
/** The path that the site is served at: `/` or, on GitHub Pages, `/repository/`. */
const base = process.env["DOCS_BASE"] ?? "/";
const sourceAddress = hasOwner ? `${repository}/blob/main` : null;

const notSearched = ["decisions.md", "changelog.md", "bench.md"];

export default defineConfig({
  title: "bearhug",
  description:
    "Load testing for TypeScript developers. Find out what your site can take before the front page does.",
  lang: "en",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}bear.svg` }]],
  base,
  cleanUrls: true,
  srcDir: root,
  srcExclude: [
    "*.md",
    "bench/[!R]*",
    "packages/!(cli)/**",
    "packages/cli/*/**",
    "packages/cli/[!C]*",
    "tools/**",
  ],
  outDir: join(root, "site/dist"),
  cacheDir: join(root, "node_modules/.cache/vitepress"),
  rewrites: {
    "packages/cli/CHANGELOG.md": "changelog.md",
    "bench/README.md": "bench.md",
    "examples/README.md": "examples/index.md",
    "docs/:path(.*)": ":path",
    "site/:path(.*)": ":path",
  },
  markdown: {
    // The links within docs/ are those of GitHub.
    anchor: { slugify: slug },
    config: (markdown) => {
      linkPages(markdown, root, sourceAddress);
      foldSecondColumn(markdown);
    },
  },
  vite: { publicDir: join(root, "site/public") },
  // For language models: the pages as they are written, an index of them, and all in one.
  buildEnd: ({ outDir }) => {
    for (const { pages } of readPages())
      for (const { path, text } of pages) {
        mkdirSync(dirname(join(outDir, path)), { recursive: true });
        writeFileSync(join(outDir, path), text);
      }
    writeFileSync(
      join(outDir, "llms.txt"),
      writeIndex((path) => `${base}${path}`),
    );
    writeFileSync(join(outDir, "llms-full.txt"), writeWhole());
  },
  themeConfig: {
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Command line", link: "/cli" },
      { text: "Cookbook", link: "/cookbook/", activeMatch: "^/cookbook/" },
      { text: "Coming from k6", link: "/k6" },
    ],
    sidebar: navigation.map(({ title, pages }) => ({
      text: title,
      items: Object.entries(pages).map(([page, text]) => ({
        text,
        link: siteAddress(`docs/${page}.md`) ?? "/",
      })),
    })),
    outline: [2, 3],
    logo: "/bear.svg",
    search: {
      provider: "local",
      options: {
        // Reasons and history would hide the guides among what is found.
        _render: (source, env, markdown) =>
          notSearched.includes(env.relativePath) ? "" : markdown.render(source, env),
      },
    },
    ...(sourceAddress === null ? {} : { editLink: { pattern: `${sourceAddress}/:path` } }),
  },
});
