import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";

import { readAssets, type PageAssets, writeFacts, writePage } from "../html/render-html.ts";
import { gatherFacts } from "../html/gather-page-data.ts";
import { LiveFacts } from "../html/live-page-data.ts";
import type { PageFacts } from "../html/page-data.ts";
import type { Reporter } from "../reporter.ts";
import { PageServer, type PageState } from "./page-server.ts";

/** Shows a run in browsers on this machine while it lasts, and its report once it is over. */
export class LivePage implements Reporter {
  readonly name = "live page";
  /** Called once the plan of the run is known. */
  announce: (url: string) => void = () => undefined;
  readonly #facts: LiveFacts;
  readonly #assets: PageAssets;
  readonly #server: PageServer;

  private constructor(server: PageServer, facts: LiveFacts, assets: PageAssets) {
    this.#server = server;
    this.#facts = facts;
    this.#assets = assets;
  }

  /** `title` is shown until the test has a name. Rejects with the system's error if no port is free. */
  static async open(title: string, assets: PageAssets = readAssets()): Promise<LivePage> {
    const facts = new LiveFacts(title);
    const server = await PageServer.start(stateOf(() => facts.get(), assets));
    return new LivePage(server, facts, assets);
  }

  get url(): string {
    return this.#server.url;
  }

  onStart(run: RunDescription): void {
    this.#facts.start(run);
    this.announce(this.#server.url);
    this.#show();
  }

  onInterval(snapshot: IntervalSnapshot): void {
    this.#facts.add(snapshot);
    this.#show();
  }

  onEnd(result: TestResult): void {
    const facts = gatherFacts(result);
    this.#server.end(stateOf(() => facts, this.#assets));
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #show(): void {
    this.#server.show(stateOf(() => this.#facts.get(), this.#assets));
  }
}

function stateOf(facts: () => PageFacts, assets: PageAssets): PageState {
  return { html: () => writePage(facts(), assets), facts: () => writeFacts(facts()) };
}
