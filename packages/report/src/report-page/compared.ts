import type { ComparedData } from "../html/page-data.ts";
import { DataTable } from "./data-table.ts";
import { element } from "./element.ts";

/** Creates the section of a comparison: the answer, the figures that decide, and separately all others. */
export function createCompared({
  tone,
  word,
  sides,
  sentences,
  figures,
  exploratory,
}: ComparedData): HTMLElement {
  return element(
    "section",
    { class: "panel", id: "comparison" },
    element(
      "div",
      { class: "table-head" },
      element("h2", {}, "Comparison"),
      element("span", { class: `answer tone-${tone}` }, word),
      element("span", { class: "note" }, sides),
    ),
    ...(sentences.length === 0
      ? []
      : [element("ul", { class: "sentences" }, ...sentences.map((text) => element("li", {}, text)))]),
    new DataTable(figures).root,
    ...(exploratory === null
      ? []
      : [
          element(
            "details",
            { class: "exploratory" },
            element("summary", {}, `Further figures (${exploratory.rows.length}), which decide nothing`),
            new DataTable(exploratory).root,
          ),
        ]),
  );
}
