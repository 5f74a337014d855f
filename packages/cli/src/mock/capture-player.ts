import type { IncomingMessage, ServerResponse } from "node:http";
import type { Capture } from "@bearhug/har-import";
import { notInCapture, type MockResponse } from "./mock-response.ts";
import type { ResponseGroup } from "./response-group.ts";
import { type BodyValues, hasBody, readBody, receiveBody } from "./request-body.ts";
import { MockCounts, type MockStats } from "./mock-counts.ts";
import { RecordedResponses } from "./recorded-responses.ts";
import type { Reply } from "./reply.ts";
import { readRequestLine, type RequestLine } from "./request-line.ts";
import { visitorCookie, visitorOf, Visitors } from "./visitors.ts";

/** Responds to each request from the capture, and replays it to each visitor in recorded order. */
export class CapturePlayer {
  readonly #answers: RecordedResponses;
  readonly #send: (reply: Reply) => void;
  readonly #visitors = new Visitors();
  readonly #counts = new MockCounts();

  constructor(capture: Capture, send: (reply: Reply) => void) {
    this.#answers = new RecordedResponses(capture);
    this.#send = send;
  }

  stats(): MockStats {
    return this.#counts.read();
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const arrivedAtMs = performance.now();
    const known = visitorOf(request.headers.cookie);
    const visitor = known ?? crypto.randomUUID();
    const cookie = known === null ? visitorCookie(visitor) : null;
    const send = (answer: MockResponse): void =>
      this.#send({ request, response, answer, visitorCookie: cookie, arrivedAtMs });
    const requested = readRequestLine(request.method ?? "GET", request.url ?? "/");
    const group = this.#answers.find(requested);
    if (!hasBody(request)) {
      send(this.#choose(requested, null, group, visitor));
      return;
    }
    // A response before the end of an upload would make a client stop sending. The choice must follow the
    // order of arrival, though.
    const early = group?.isByBody === true ? null : this.#choose(requested, null, group, visitor);
    receiveBody(request, early === null, (body) => {
      const type = request.headers["content-type"] ?? "";
      send(early ?? this.#choose(requested, body === null ? null : readBody(body, type), group, visitor));
    });
  }

  #choose(
    requested: RequestLine,
    body: BodyValues | null,
    group: ResponseGroup | null,
    visitor: string,
  ): MockResponse {
    const chosen = group?.take(requested, body, this.#visitors.uses(visitor, group)) ?? null;
    if (chosen === null) {
      this.#counts.addUnknown(requested);
      return notInCapture;
    }
    this.#counts.addServed(requested, chosen.line, chosen.answer);
    return chosen.answer;
  }
}
