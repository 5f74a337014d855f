import type { DownloadData, PageData } from "../html/page-data.ts";
import { element } from "./element.ts";
import { createThemeButton } from "./theme.ts";

/** The head of the page: the verdict and its reasons. */
export class ReportHeader {
  readonly root: HTMLElement;
  readonly #word: HTMLElement;
  readonly #reasons: HTMLElement;

  constructor(data: Pick<PageData, "title" | "verdict" | "download">) {
    const { title, download } = data;
    this.#word = element("p", { class: "verdict", role: "status" });
    this.#reasons = element("ul", { class: "reasons" });
    const buttons = [createThemeButton(), ...(download === null ? [] : [createDownload(download)])];
    this.root = element(
      "header",
      {},
      element(
        "div",
        { class: "title" },
        this.#word,
        element("h1", {}, title),
        element("div", { class: "buttons" }, ...buttons),
      ),
      this.#reasons,
    );
    this.update(data);
  }

  update({ verdict: { tone, word, reasons } }: Pick<PageData, "verdict">): void {
    this.root.className = `tone-${tone}`;
    // Screen readers read out each change.
    if (this.#word.textContent !== word) this.#word.textContent = word;
    const items = reasons.map(({ text, frame }) =>
      element("li", {}, text, ...(frame === "" ? [] : [element("pre", {}, frame)])),
    );
    this.#reasons.replaceChildren(...items);
  }
}

/** Creates the button that downloads the document. */
function createDownload({ label, fileName, gzipped, note }: DownloadData): HTMLElement {
  const button = element(
    "button",
    { type: "button", title: note === "" ? "Download the data of this report" : note },
    label,
  );
  button.addEventListener("click", () => {
    void save(fileName, gzipped);
  });
  return button;
}

async function save(fileName: string, gzipped: string): Promise<void> {
  const bytes = Uint8Array.from(atob(gzipped), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const url = URL.createObjectURL(
    await new Response(stream, { headers: { "content-type": "application/json" } }).blob(),
  );
  element("a", { href: url, download: fileName }).click();
  // Most browsers have read the URL when the click is over; some read it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
