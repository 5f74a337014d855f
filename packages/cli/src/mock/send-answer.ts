import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";

/** Sends an answer. A redirect within the capture leads to the mock, by the name that the client knows it by. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { host } = request.headers;
  const base = host === undefined ? "" : `http://${host}`;
  const headers =
    answer.location === null ? answer.headers : [...answer.headers, "location", base + answer.location];
  response.writeHead(answer.status, headers);
  response.end(answer.body);
}
