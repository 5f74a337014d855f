import type { IncomingMessage, ServerResponse } from "node:http";
import type { Capture } from "@bearhug/har-import";
import { notInCapture, type MockAnswer } from "./answer.ts";
import type { AnswerGroup } from "./answer-group.ts";
import { type BodyValues, hasBody, readBody, receiveBody } from "./request-body.ts";
import { MockCounts, type MockStats } from "./mock-counts.ts";
import { RecordedAnswers } from "./recorded-answers.ts";
import type { Reply } from "./reply.ts";
import { askedLine, type RequestLine } from "./request-line.ts";
import { visitorCookie, visitorOf, Visitors } from "./visitors.ts";

/** Answers each request as the capture has it, to each visitor in recorded order. */
export class CapturePlayer {
  readonly #answers: RecordedAnswers;
  readonly #send: (reply: Reply) => void;
  readonly #visitors = new Visitors();
  readonly #counts = new MockCounts();

  constructor(capture: Capture, send: (reply: Reply) => void) {
    this.#answers = new RecordedAnswers(capture);
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
    const send = (answer: MockAnswer): void => {
      this.#send({ request, response, answer, visitorCookie: cookie, arrivedAtMs });
    };
    const asked = askedLine(request.method ?? "GET", request.url ?? "/");
    const group = this.#answers.find(asked);
    if (!hasBody(request)) {
      send(this.#choose(asked, null, group, visitor));
      return;
    }
    // An answer before the end of an upload would make a client stop sending; but it is chosen in the order of arrival.
    const early = group?.isByBody === true ? null : this.#choose(asked, null, group, visitor);
    receiveBody(request, early === null, (body) => {
      const type = request.headers["content-type"] ?? "";
      send(early ?? this.#choose(asked, body === null ? null : readBody(body, type), group, visitor));
    });
  }

  #choose(
    asked: RequestLine,
    body: BodyValues | null,
    group: AnswerGroup | null,
    visitor: string,
  ): MockAnswer {
    const chosen = group?.take(asked, body, this.#visitors.uses(visitor, group)) ?? null;
    if (chosen === null) {
      this.#counts.addUnknown(asked);
      return notInCapture;
    }
    this.#counts.addServed(asked, chosen.line, chosen.answer);
    return chosen.answer;
  }
}
