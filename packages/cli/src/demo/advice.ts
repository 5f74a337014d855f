import { setTimeout as delay } from "node:timers/promises";

import { findProduct } from "./catalog.ts";
import { refusal } from "./reply.ts";
import type { Route } from "./route.ts";

const wordEveryMs = 20;

/** Answers as language models do: one server-sent event for each word, when it is there. */
export const adviceRoute: Route = {
  method: "GET",
  path: "/api/products/:id/advice",
  about: `Advice on a product as server-sent events, a word every ${wordEveryMs} ms, then [DONE]`,
  answer: ({ params }) => {
    const product = findProduct(params["id"]);
    if (!product) return refusal(404, "no such product");
    return {
      status: 200,
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
      body: (signal) => events(`${product.name} goes well with toast, with tea and with friends.`, signal),
    };
  },
};

async function* events(advice: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const token of advice.split(" ")) {
    await delay(wordEveryMs, undefined, { signal });
    yield `data: ${JSON.stringify({ token })}\n\n`;
  }
  yield "data: [DONE]\n\n";
}
