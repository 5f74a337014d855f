// Words that come one by one, as from a language model: how long until the first one, and how fast after that? The client
// takes a `fetch`, as SDKs do; `http.fetch` measures its requests.
import { defineTest } from "@bearhug/sdk";

/** The words of an answer as they come: a client like those of language models. */
async function* readWords(url: string, fetch: typeof globalThis.fetch): AsyncGenerator<string> {
  const { ok, body, status } = await fetch(url, { headers: { accept: "text/event-stream" } });
  if (!ok || body === null) throw new Error(`no stream, but status ${status}`);
  let pending = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const events = (pending + piece).split("\n\n");
    pending = events.pop() ?? "";
    for (const event of events) {
      const data = event.replace(/^data: /, "");
      if (data === "[DONE]") return;
      const { token } = JSON.parse(data) as { token: string };
      yield token;
    }
  }
}

export default defineTest({
  name: "token stream",
  baseUrl: "http://127.0.0.1:8080",
  metrics: {
    time_to_first_word: { type: "trend", time: true },
    words: { type: "counter" },
  },
  scenarios: {
    askers: {
      executor: "constant-vus",
      vus: 3,
      duration: "3s",
      exec: async ({ http, metrics, check, random, think }) => {
        const askedAt = performance.now();
        const words: string[] = [];
        const path = `/api/products/${random.integer(1, 10)}/advice`;
        for await (const word of readWords(path, http.fetch)) {
          if (words.length === 0) metrics.time_to_first_word.add(performance.now() - askedAt);
          words.push(word);
          metrics.words.add(1);
        }
        check(words, { "is a sentence": (said) => said.at(-1)?.endsWith(".") === true });
        await think("100ms", "300ms");
      },
    },
  },
  thresholds: {
    time_to_first_word: ["p(95)<1s"],
    words: ["count>0"],
    checks: ["rate==100%"],
  },
});
