import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Links and images in brackets, reference definitions, and the `href` and `src` of HTML. */
const links = /\]\(\s*<?([^)\s>]+)|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)|\b(?:href|src)="([^"]+)"/gm;

const fences = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2[^\n]*$/gm;
const inlineCode = /(`+)[^`\n](?:[^\n]*?[^`\n])?\1(?!`)/g;

/**
 * Links in the Markdown files below `folder` that lead nowhere: to a file that does not exist, or to an anchor that no
 * heading gives. Links to other sites are not checked.
 */
export function findDeadLinks(folder: string): string[] {
  const pages = globSync("**/*.md", {
    cwd: folder,
    exclude: (path) => /(^|\/)(node_modules|dist|coverage)$/.test(path.replaceAll("\\", "/")),
  });
  return pages.toSorted().flatMap((page) => {
    const path = join(folder, page);
    return linksIn(readFileSync(path, "utf8"))
      .filter((link) => !leadsSomewhere(path, link, folder))
      .map((link) => `${page}: ${link}`);
  });
}

function linksIn(markdown: string): string[] {
  const prose = markdown.replace(fences, "").replace(inlineCode, "");
  return [...prose.matchAll(links)]
    .map(([, inline, reference, html]) => inline ?? reference ?? html ?? "")
    .filter((link) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link));
}

function leadsSomewhere(page: string, link: string, folder: string): boolean {
  const [path = "", anchor] = link.split("#").map((part) => decodeURIComponent(part));
  const target = path === "" ? page : join(dirname(page), path);
  const isInside = !relative(folder, target).startsWith("..");
  if (!isInside || !existsSync(target)) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).has(anchor);
}

/** The anchors that GitHub gives a page: one for each heading, numbered where headings repeat, and explicit ones. */
function anchorsOf(page: string): Set<string> {
  const markdown = readFileSync(page, "utf8").replace(fences, "");
  const anchors = new Set([...markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = ""]) => name));
  for (const [, heading = ""] of markdown.matchAll(/^ {0,3}#{1,6} +(.+?)(?: +#+)? *$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const text = heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(?<![\p{L}\p{N}_`])_([^_]+)_(?![\p{L}\p{N}_`])/gu, "$1");
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}
