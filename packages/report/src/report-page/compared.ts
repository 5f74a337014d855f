import type { ComparedData } from "../html/page-data.ts";
import { DataTable } from "./data-table.ts";
import { element } from "./element.ts";
import { note, panel, sentenceList } from "./panel.ts";

/** Creates the section of a comparison: the answer, the figures that decide, and separately all others. */
export function createCompared({
  tone,
  word,
  sides,
  sentences,
  figures,
  exploratory,
}: ComparedData): HTMLElement {
  const answer = element("span", { class: `answer tone-${tone}` }, word);
  return panel(
    { id: "comparison", title: "Comparison", aside: [answer, note(sides)] },
    ...(sentences.length === 0 ? [] : [sentenceList(sentences)]),
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
