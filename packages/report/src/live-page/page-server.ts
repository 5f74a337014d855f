import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { listen, type Listening } from "../local-server/listen.ts";

/** A state of the page, as a whole page and as data that update an open page. */
export interface PageState {
  readonly html: () => string;
  /** JSON on one line. */
  readonly data: () => string;
}

/** A browser with more unread bytes gets no further states until it has caught up; each state is complete. */
const mostUnreadBytes = 1_000_000;

/** The page loads nothing from elsewhere, and other pages can neither frame it nor learn its address. */
const headers = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Serves one page to browsers on this machine, and keeps it up to date with server-sent events. Its address
 * contains a token, and requests without it are rejected. So are requests for any host other than the
 * loopback address: a foreign site may have pointed its own name at this machine.
 */
export class PageServer {
  readonly url: string;
  readonly #server: Listening;
  readonly #token: string;
  readonly #readers = new Set<ServerResponse>();
  #state: PageState;
  #isFinal = false;

  private constructor(server: Listening, state: PageState) {
    this.#server = server;
    this.#token = randomBytes(24).toString("base64url");
    this.#state = state;
    this.url = `${server.url}/?token=${this.#token}`;
  }

  /** Rejects with the system's error if no port is free. */
  static async start(state: PageState): Promise<PageServer> {
    const server = createServer();
    const page = new PageServer(await listen(server, { host: "127.0.0.1", port: 0 }), state);
    server.on("request", (request, response) => page.#respond(request, response));
    return page;
  }

  /** Sends a state to all open pages; does not compute its data if there are none. */
  show(state: PageState): void {
    this.#state = state;
    this.#send("data");
  }

  /** Shows the last state. The page stays available, and browsers stop listening for updates. */
  end(state: PageState): void {
    this.#state = state;
    this.#isFinal = true;
    this.#send("end");
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #send(event: "data" | "end"): void {
    if (this.#readers.size === 0) return;
    const text = eventOf(event, this.#state);
    for (const reader of this.#readers) {
      if (event === "end") reader.end(text);
      else if (reader.writableLength < mostUnreadBytes) reader.write(text);
    }
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const { port, origin } = new URL(this.#server.url);
    const requested = URL.parse(request.url ?? "", origin);
    const isOwnHost = [`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? "");
    if (requested === null || !isOwnHost || !this.#isToken(requested.searchParams.get("token") ?? ""))
      reject(response);
    else if (request.method !== "GET") response.writeHead(405, { ...headers, allow: "GET" }).end();
    else if (requested.pathname === "/")
      response
        .writeHead(200, { ...headers, "content-type": "text/html; charset=utf-8" })
        .end(this.#state.html());
    else if (requested.pathname === "/events") this.#follow(response);
    else response.writeHead(404, headers).end();
  }

  #follow(response: ServerResponse): void {
    response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
    if (this.#isFinal) {
      response.end(eventOf("end", this.#state));
      return;
    }
    this.#readers.add(response);
    response.once("close", () => this.#readers.delete(response));
    response.write(eventOf("data", this.#state));
  }

  #isToken(given: string): boolean {
    const [one, other] = [Buffer.from(given), Buffer.from(this.#token)];
    return one.length === other.length && timingSafeEqual(one, other);
  }
}

function eventOf(event: string, state: PageState): string {
  return `event: ${event}\ndata: ${state.data()}\n\n`;
}

function reject(response: ServerResponse): void {
  response
    .writeHead(403, { ...headers, "content-type": "text/plain; charset=utf-8" })
    .end("Open the page at the address that bearhug printed. It contains a token.\n");
}
