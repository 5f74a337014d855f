import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import GithubSlugger from "github-slugger";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toString } from "mdast-util-to-string";

type Page = ReturnType<typeof fromMarkdown>;
type Node = Page | Page["children"][number];

/**
 * Returns the dead links in the Markdown files below `folder`: links to a missing file, or to an anchor that
 * no heading has. Links to other sites are not checked.
 */
export function findDeadLinks(folder: string): string[] {
  const pages = globSync("**/*.md", {
    cwd: folder,
    exclude: (path) =>
      /(^|\/)(node_modules|dist|coverage|cli\/docs|cli\/examples)$/.test(path.replaceAll("\\", "/")),
  });
  const anchors = new Map<string, Set<string>>();
  return pages.toSorted().flatMap((page) => {
    const path = join(folder, page);
    return nodesOf(readPage(path))
      .flatMap(linksOf)
      .filter(
        (link) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link) && !leadsSomewhere(path, link, folder, anchors),
      )
      .map((link) => `${page}: ${link}`);
  });
}

function readPage(path: string): Page {
  return fromMarkdown(readFileSync(path, "utf8"));
}

/** Returns a node and all its descendants, in the order of the page. */
function nodesOf(node: Node): Node[] {
  return "children" in node ? [node, ...node.children.flatMap(nodesOf)] : [node];
}

function linksOf(node: Node): string[] {
  if (node.type === "html") return attributes(node.value, /\b(?:href|src)="([^"]+)"/g);
  return node.type === "link" || node.type === "image" || node.type === "definition" ? [node.url] : [];
}

function attributes(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value = ""]) => value);
}

/**
 * True if the target of a link exists. Caches the anchors of each page in `anchors`, because many links share
 * pages.
 */
function leadsSomewhere(
  page: string,
  link: string,
  folder: string,
  anchors: Map<string, Set<string>>,
): boolean {
  const [path = "", anchor] = link.split("#").map((part) => decodeURIComponent(part));
  const target = path === "" ? page : join(dirname(page), path);
  const isInside = !relative(folder, target).startsWith("..");
  if (!isInside || !existsSync(target)) return false;
  if (anchor === undefined || !target.endsWith(".md")) return true;
  const known = anchors.get(target) ?? anchorsOf(target);
  anchors.set(target, known);
  return known.has(anchor);
}

/**
 * Returns a page's anchors as GitHub makes them: one per heading, numbered if headings repeat, and explicit
 * ones.
 */
function anchorsOf(page: string): Set<string> {
  const slugger = new GithubSlugger();
  const anchors = nodesOf(readPage(page)).flatMap((node) => {
    if (node.type === "html") return attributes(node.value, /<a (?:id|name)="([^"]+)"/g);
    return node.type === "heading" ? [slugger.slug(toString(node))] : [];
  });
  return new Set(anchors);
}
