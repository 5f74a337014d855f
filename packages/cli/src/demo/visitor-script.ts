/**
 * Returns the script for visitors' browsers. The cart button uses the visitor's session; without one, the
 * script logs in itself and uses the API with a bearer token.
 */
export function renderScript(user: string, password: string): string {
  return `"use strict";

async function post(path, body, headers) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

// Only secure contexts have randomUUID: this machine, and https.
const newId = () => (crypto.randomUUID ? crypto.randomUUID() : Math.random().toString(16).slice(2));
const forSession = (token) => ({ "x-csrf-token": token, "x-request-id": newId() });

async function cartHeaders() {
  const session = await (await fetch("/api/session?_=" + Date.now())).json();
  if (session.csrf) return forSession(session.csrf);
  const { token } = await post("/api/login", { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} });
  return { authorization: "Bearer " + token };
}

function say(text) {
  document.querySelector("output").textContent = text;
}

for (const button of document.querySelectorAll("button[data-product]")) {
  button.addEventListener("click", async () => {
    const headers = await cartHeaders();
    const line = await post("/api/cart", { product: Number(button.dataset.product), quantity: 1 }, headers);
    say("In the cart: €\u00a0" + (line.totalCents / 100).toFixed(2));
  });
}

for (const button of document.querySelectorAll("button[data-review]")) {
  button.addEventListener("click", async () => {
    const token = document.querySelector("meta[name=csrf-token]").content;
    const { published } = await post("/api/reviews/" + button.dataset.review + "/publish", {}, forSession(token));
    say(published ? "Everybody can read it now." : "That did not work.");
  });
}

const origin = document.getElementById("origin");
if (origin) origin.textContent = location.origin;

addEventListener("load", () => {
  const [navigation] = performance.getEntriesByType("navigation");
  const timing = document.getElementById("timing");
  if (navigation && timing) timing.textContent = "First byte after " + navigation.responseStart.toFixed(1) + " ms.";
});
`;
}
