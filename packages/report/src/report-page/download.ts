import type { DownloadFacts } from "../html/page-facts.ts";
import { element } from "./element.ts";

/** The button that hands out the document. */
export function createDownload({ label, fileName, gzipped, note }: DownloadFacts): HTMLElement {
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
  // The browser has read it when the click is over; some read a moment later.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}
