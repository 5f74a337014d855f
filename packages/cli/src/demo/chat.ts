import { setTimeout as delay } from "node:timers/promises";

import { type Product, products } from "./catalog.ts";
import { type Fields, readFields } from "./fields.ts";
import { json, type Reply } from "./reply.ts";
import { post, type Route } from "./route.ts";

const tokenEveryMs = 20;

/** Streams like OpenAI's API: one server-sent event for each token, as soon as it is available. */
export const chatRoute: Route = post(
  "/v1/chat/completions",
  `OpenAI’s chat completions with stream: true: advice on the product you name, a word every ${tokenEveryMs} ms`,
  (request) => {
    const fields = readFields(request);
    const question = lastMessage(fields);
    if (question === undefined) return invalidRequest("send messages, with a text as content");
    if (fields?.["stream"] !== true) return invalidRequest("send stream: true: the demo only streams");
    const product = products.find(({ name }) => question.includes(name));
    return {
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
      body: (signal) => events(adviceOn(product), fields["model"], signal),
    };
  },
);

function adviceOn(product: Product | undefined): string {
  return product === undefined
    ? "Ask about one of the products."
    : `${product.name} goes well with toast, with tea and with friends.`;
}

function lastMessage(fields: Fields | undefined): string | undefined {
  const messages = fields?.["messages"];
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (typeof last !== "object" || last === null || !("content" in last)) return undefined;
  return typeof last.content === "string" ? last.content : undefined;
}

const invalidRequest = (message: string): Reply =>
  json({ error: { message, type: "invalid_request_error", param: null, code: null } }, 400);

async function* events(advice: string, model: unknown, signal: AbortSignal): AsyncGenerator<string> {
  const chunk = (delta: object, finishReason: string | null): string => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    const content = { id: "chatcmpl-demo", object: "chat.completion.chunk", created: 0, model, choices };
    return `data: ${JSON.stringify(content)}\n\n`;
  };
  for (const word of advice.split(/(?= )/)) {
    await delay(tokenEveryMs, undefined, { signal });
    yield chunk({ role: "assistant", content: word }, null);
  }
  yield chunk({}, "stop");
  yield "data: [DONE]\n\n";
}
