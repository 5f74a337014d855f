import { element } from "./element.ts";

interface PanelHead {
  readonly id: string;
  readonly title: string;
  /** Shown beside the title. @default nothing */
  readonly aside?: readonly HTMLElement[];
}

/** Creates a section of the page. */
export function panel(
  { id, title, aside = [] }: PanelHead,
  ...children: readonly HTMLElement[]
): HTMLElement {
  const head = element("div", { class: "table-head" }, element("h2", {}, title), ...aside);
  return element("section", { class: "panel", id }, head, ...children);
}

/** Creates a remark beside a title. */
export function note(text: string): HTMLElement {
  return element("span", { class: "note" }, text);
}

/** Creates a list of sentences. */
export function sentenceList(sentences: readonly string[]): HTMLElement {
  return element("ul", { class: "sentences" }, ...sentences.map((sentence) => element("li", {}, sentence)));
}
