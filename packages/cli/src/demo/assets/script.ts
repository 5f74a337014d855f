/** What runs in a visitor's browser: the cart button logs in, then uses the API as a script would. */
export function renderScript(user: string, password: string): string {
  return `"use strict";

async function post(path, body, token) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = "Bearer " + token;
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

for (const button of document.querySelectorAll("button[data-product]")) {
  button.addEventListener("click", async () => {
    const { token } = await post("/api/login", { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} });
    const line = await post("/api/cart", { product: Number(button.dataset.product), quantity: 1 }, token);
    document.querySelector("output").textContent = "In the cart: €\u00a0" + (line.totalCents / 100).toFixed(2);
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
