import type { Figure } from "../html/page-data.ts";
import { element } from "./element.ts";

/** The key figures at the top of the page. */
export class Figures {
  readonly root: HTMLElement = element("section", {
    class: "figures",
    "aria-label": "Key figures",
  });

  constructor(figures: readonly Figure[]) {
    this.update(figures);
  }

  update(figures: readonly Figure[]): void {
    this.root.replaceChildren(...figures.map(createFigure));
  }
}

function createFigure({ label, text, detail, tone }: Figure): HTMLElement {
  return element(
    "div",
    { class: `figure tone-${tone}` },
    element("div", { class: "label" }, label),
    element("div", { class: "number" }, text),
    element("div", { class: "detail" }, detail),
  );
}
