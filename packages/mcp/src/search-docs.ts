import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import MiniSearch from "minisearch";

/** A section of a page of the documentation. */
interface Section {
  readonly id: number;
  readonly page: string;
  /** The titles of the page and of the section. */
  readonly title: string;
  readonly text: string;
}

export interface Passage {
  /** The path of the page in the package `bearhug`. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** The length limit of a passage, so that several fit into an agent's context. */
const maxCharacters = 1500;

/** A full-text search in the pages of a folder. */
export class DocsSearch {
  readonly #sections: readonly Section[];
  readonly #index: MiniSearch<Section>;

  constructor(folder: string) {
    const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".md"),
    );
    this.#sections = pages
      .toSorted()
      .flatMap((page) => sectionsOf(page.replaceAll("\\", "/"), readFileSync(join(folder, page), "utf8")))
      .map((section, id) => ({ ...section, id }));
    this.#index = new MiniSearch<Section>({
      fields: ["title", "text"],
      searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.1 },
    });
    this.#index.addAll([...this.#sections]);
  }

  /** Returns the passages that match best, best first. */
  find(query: string, limit: number): Passage[] {
    return this.#index
      .search(query)
      .flatMap(({ id }) => {
        const section = this.#sections[Number(id)];
        if (section === undefined) return [];
        const { page, title, text } = section;
        const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n…` : text;
        return [{ page: `docs/${page}`, title, text: shown }];
      })
      .slice(0, limit);
  }
}

/** Splits a page at its headings of the first three levels. Lines in code blocks are not headings. */
function sectionsOf(page: string, markdown: string): Omit<Section, "id">[] {
  const titles: string[] = [];
  const sections: { title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, marks = "", title = ""] = isCode ? [] : (/^(#{1,3}) (.+)$/.exec(line) ?? []);
    if (marks === "") {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    titles.length = marks.length - 1;
    titles.push(title);
    sections.push({ title: titles.filter(Boolean).join(" › "), lines: [] });
  }
  return sections
    .map(({ title, lines }) => ({ page, title, text: lines.join("\n").trim() }))
    .filter(({ text }) => text !== "");
}
