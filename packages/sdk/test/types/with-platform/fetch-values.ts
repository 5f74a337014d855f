// This file compiles if TypeScript knows the platform's classes (the DOM's types, or Node's).
import type { Context, HttpOptions } from "@bearhug/sdk";

/** Passes the values that a user of `fetch` would pass. */
export async function sendAsFetch({ http }: Context): Promise<void> {
  const headers = new Headers({ accept: "text/html" });
  const query = new URLSearchParams("a=1&a=2");
  const form = new FormData();
  form.append("photo", new Blob(["…"], { type: "image/jpeg" }), "beach.jpg");
  const pairs: [string, string][] = [["x-a", "1"]];
  await http.get(new URL("https://shop.example/"), { headers, params: query });
  await http.get("/", { headers: pairs, params: new Map([["page", 2]]) });
  await http.post("/", { body: form });
  await http.post("/", { multipart: form });
  await http.post("/", { body: query });
  await http.post("/", { form: query });
  await http.post("/", { body: new Blob(["…"]) });
  await http.post("/", { body: new Uint8Array(4).buffer });
  await http.post("/", {
    multipart: { photo: new Blob(["…"]), other: { content: new Blob([]), filename: "x" } },
  });
}

export const sharedHeaders: HttpOptions = { headers: new Headers({ accept: "text/html" }) };
