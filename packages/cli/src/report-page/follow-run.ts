import type { PageFacts } from "../reporters/html/page-facts.ts";
import { LiveReport } from "./live-report.ts";

/** Shows a live run with the states that its server sends; `showEnd` shows the report once it is over. */
export function followRun(first: PageFacts, showEnd: (facts: PageFacts) => void): void {
  const page = new LiveReport(first);
  const events = new EventSource(`events${location.search}`);
  // bearhug's own server sends the facts of this page.
  const read = ({ data }: MessageEvent<string>): PageFacts => JSON.parse(data) as PageFacts;
  events.addEventListener("facts", (event: MessageEvent<string>) => {
    page.update(read(event));
  });
  events.addEventListener("end", (event: MessageEvent<string>) => {
    events.close();
    page.close();
    showEnd(read(event));
  });
  events.addEventListener("error", () => {
    page.showLost();
  });
}
