// The docs for language models: an index of all pages (https://llmstxt.org), and all pages as one text.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { navigation } from "../site/navigation.ts";
import { root } from "./workspace.mjs";

/** @typedef {{ readonly path: string, readonly title: string, readonly text: string }} Page `path`: from docs/, with `.md` */

/** Returns the groups of the site's sidebar with their pages. */
export function readPages() {
  return navigation.map(({ title, pages }) => ({
    title,
    pages: Object.entries(pages).map(([name, pageTitle]) => {
      const path = `${name}.md`;
      return { path, title: pageTitle, text: readFileSync(join(root, "docs", path), "utf8") };
    }),
  }));
}

/**
 * Returns the index: each page with its first sentence.
 * @param {(path: string) => string} addressOf
 */
export function writeIndex(addressOf) {
  const groups = readPages().map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${addressOf(page.path)}): ${firstSentence(page)}`);
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  return `# bearhug\n\n> ${summary}\n\n${hints}\n\n${groups.join("\n")}`;
}

/** Returns all pages as one text. */
export function writeWhole() {
  const texts = readPages().flatMap(({ pages }) =>
    pages.map(({ path, text }) => `<!-- docs/${path} -->\n\n${text}`),
  );
  return `# bearhug\n\n> ${summary}\n\n${hints}\n\n${texts.join("\n")}`;
}

const summary =
  "Load testing for TypeScript developers: typed tests with thresholds, one-liners, imports of browser captures (HAR), and an exit code that says whether the site passed.";

const hints = [
  "Tests are TypeScript files such as `load/shop.load.ts` that export `defineTest({ … })` from `@bearhug/sdk`.",
  "`bearhug check FILE --json` validates a test without sending anything, `bearhug try FILE --json` runs one iteration, `bearhug run FILE --json` applies the load.",
  "Exit codes: 0 passed, 99 failed, 104 invalid input. Only load systems that you own or may test.",
].join("\n");

/** @param {Page} page */
function firstSentence({ path, text }) {
  const paragraph = text
    .split(/\n{2,}/)
    .slice(1)
    .find((block) => /^(?!```)[A-Za-z`[*]/.test(block));
  if (paragraph === undefined) throw new Error(`docs/${path} does not begin with a sentence.`);
  const plain = paragraph.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/\s+/g, " ");
  return /^.*?[.:?!](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}
