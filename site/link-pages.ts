import { posix, relative } from "node:path";

import type { MarkdownRenderer } from "vitepress";

import { siteAddress } from "./site-address.ts";

/**
 * Makes links between files of the repository links between pages of the site. Links to files that are not on the site lead to
 * `sourceAddress`, the repository on the web; if that is not known, their text stays.
 */
export function linkPages(markdown: MarkdownRenderer, root: string, sourceAddress: string | null): void {
  markdown.core.ruler.after("inline", "link_pages", ({ tokens, env }) => {
    const folder = posix.dirname(relative(root, pathOf(env)).replaceAll("\\", "/"));
    for (const token of tokens) {
      if (token.children === null) continue;
      let isLinked = true;
      token.children = token.children.filter((child) => {
        if (child.type === "link_open") {
          const address = addressOf(child.attrGet("href") ?? "", folder, sourceAddress);
          isLinked = address !== null;
          if (address !== null) child.attrSet("href", address);
        }
        return isLinked || !child.type.startsWith("link_");
      });
    }
  });
}

/** The page's own file, also where the page has another address. */
function pathOf(env: unknown): string {
  if (typeof env !== "object" || env === null) return "";
  if ("realPath" in env && typeof env.realPath === "string") return env.realPath;
  return "path" in env && typeof env.path === "string" ? env.path : "";
}

function addressOf(href: string, folder: string, sourceAddress: string | null): string | null {
  if (/^(?:[a-z][a-z+.-]*:|\/|#)/i.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = posix.join(folder, path);
  const page = siteAddress(file) ?? (sourceAddress === null ? null : `${sourceAddress}/${file}`);
  return page === null || anchor === undefined ? page : `${page}#${anchor}`;
}
