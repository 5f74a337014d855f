import type { IntervalSnapshot, RunDescription, TestResult } from "@bearhug/sdk";

import { readAssets, type PageAssets, writePageData, writePage } from "../html/render-html.ts";
import { gatherPageData } from "../html/gather-page-data.ts";
import { LivePageData } from "../html/live-page-data.ts";
import type { PageData } from "../html/page-data.ts";
import type { Reporter } from "../reporter.ts";
import { PageServer, type PageState } from "./page-server.ts";

/** Shows a run in browsers on this machine while it lasts, and its report once it is over. */
export class LivePage implements Reporter {
  readonly name = "live page";
  /** Called once the plan of the run is known. */
  announce: (url: string) => void = () => undefined;
  readonly #data: LivePageData;
  readonly #assets: PageAssets;
  readonly #server: PageServer;

  private constructor(server: PageServer, data: LivePageData, assets: PageAssets) {
    this.#server = server;
    this.#data = data;
    this.#assets = assets;
  }

  /** `title` is shown until the test has a name. Rejects with the system's error if no port is free. */
  static async open(title: string, assets: PageAssets = readAssets()): Promise<LivePage> {
    const data = new LivePageData(title);
    const server = await PageServer.start(stateOf(() => data.get(), assets));
    return new LivePage(server, data, assets);
  }

  get url(): string {
    return this.#server.url;
  }

  onStart(run: RunDescription): void {
    this.#data.start(run);
    this.announce(this.#server.url);
    this.#show();
  }

  onInterval(snapshot: IntervalSnapshot): void {
    this.#data.add(snapshot);
    this.#show();
  }

  onEnd(result: TestResult): void {
    const data = gatherPageData(result);
    this.#server.end(stateOf(() => data, this.#assets));
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #show(): void {
    this.#server.show(stateOf(() => this.#data.get(), this.#assets));
  }
}

function stateOf(data: () => PageData, assets: PageAssets): PageState {
  return { html: () => writePage(data(), assets), data: () => writePageData(data()) };
}
