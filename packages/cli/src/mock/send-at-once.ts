import { sendHead, type Reply } from "./reply.ts";

/** Sends an answer as fast as it goes. */
export function sendAtOnce(reply: Reply): void {
  sendHead(reply);
  reply.response.end(reply.answer.body);
}
