import type { ExampleData, Selection } from "../html/page-data.ts";
import { element } from "./element.ts";
import { note, panel } from "./panel.ts";

/** Creates the section of single failed exchanges, each with a command that sends it again. */
export function createExamples({ items, note: shown }: Selection<ExampleData>): HTMLElement {
  return panel(
    { id: "failing-exchanges", title: "Failing exchanges", aside: [note(shown)] },
    ...items.map(createExample),
  );
}

function createExample({
  title,
  summary,
  message,
  request,
  response,
  command,
  notes,
}: ExampleData): HTMLElement {
  return element(
    "details",
    { class: "example" },
    element("summary", {}, element("strong", {}, title), " ", note(summary)),
    element("p", {}, message),
    element("div", { class: "messages" }, ...block("Request", request), ...block("Response", response)),
    element("div", { class: "table-head" }, element("h3", {}, "Send it again"), createCopy(command)),
    element("pre", { class: "command", tabindex: "0" }, command),
    ...notes.map((text) => element("p", { class: "note" }, text)),
  );
}

function block(title: string, text: string): HTMLElement[] {
  if (text === "") return [];
  const lines = element("pre", { tabindex: "0" }, text);
  return [element("div", {}, element("h3", {}, title), lines)];
}

function createCopy(command: string): HTMLElement {
  const button = element("button", { type: "button" }, "Copy");
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(command).then(
      () => {
        button.textContent = "Copied";
      },
      () => {
        // The browser does not allow it, but the command can still be selected.
        button.textContent = "Select the command to copy it";
      },
    );
  });
  return element("span", { class: "buttons" }, button);
}
