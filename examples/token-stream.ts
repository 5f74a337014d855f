// Reads a stream of tokens from a language model with the `openai` SDK, and measures the time to the first
// token and the number of tokens. The SDK accepts a `fetch`; `http.fetch` measures its requests.
import { defineTest } from "@bearhug/sdk";
import OpenAI from "openai";

const baseUrl = "http://127.0.0.1:8080";

export default defineTest({
  name: "token stream",
  baseUrl,
  metrics: {
    time_to_first_token: { type: "trend", time: true },
    tokens: { type: "counter" },
  },
  scenarios: {
    askers: {
      executor: "constant-vus",
      vus: 3,
      duration: "3s",
      exec: async ({ http, metrics, check, random, think }) => {
        // Without the SDK's own retries, every failure is visible.
        const openai = new OpenAI({
          baseURL: `${baseUrl}/v1`,
          apiKey: "demo",
          fetch: http.fetch,
          maxRetries: 0,
        });
        const content = `What goes with ${random.pick(["Acacia honey", "Linden tea", "Clover comb"])}?`;
        const requestedAt = performance.now();
        const stream = await openai.chat.completions.create({
          model: "demo",
          messages: [{ role: "user", content }],
          stream: true,
        });
        const tokens: string[] = [];
        for await (const { choices } of stream) {
          const token = choices[0]?.delta.content ?? "";
          if (token === "") continue;
          if (tokens.length === 0) metrics.time_to_first_token.add(performance.now() - requestedAt);
          tokens.push(token);
          metrics.tokens.add(1);
        }
        check(tokens, { "is a sentence": (all) => all.at(-1)?.endsWith(".") === true });
        await think("100ms", "300ms");
      },
    },
  },
  thresholds: {
    time_to_first_token: ["p(95)<1s"],
    tokens: ["count>0"],
    checks: ["rate>=100%"],
  },
});
