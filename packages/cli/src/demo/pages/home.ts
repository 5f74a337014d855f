import { escapeHtml } from "@bearhug/text/printable";
import { demoPassword, users } from "../accounts.ts";
import { compressed, html, type Reply } from "../reply.ts";
import type { Route, Section } from "../route.ts";
import { layout } from "./layout.ts";

/** Renders the front page, which lists every address of the site. */
export function renderHome(sections: readonly Section[]): Reply {
  const main = `    <img class="hero" src="/hero.webp" alt="An aurora over dark hills" width="960" height="240">
    <h1>Hug this site as hard as you can</h1>
    <p>This is bearhug’s demo: a small shop with pages, images, an API and a few bad habits,
    served from your own machine. Point a load test at it and see what it can take.</p>
    <pre>bearhug <span id="origin">http://127.0.0.1:8080</span> -c 20 -d 10s</pre>
    <p>Every user in <a href="/users.json">/users.json</a> can <a href="/login">log in</a> with the password
    <code>${demoPassword}</code>, ${escapeHtml(users[0]?.name ?? "")} for one.</p>
${sections.map(renderSection).join("\n")}`;
  return compressed(html(layout("Home", main)));
}

function renderSection({ title, routes }: Section): string {
  return `    <h2>${escapeHtml(title)}</h2>
    <dl>
${routes
  .filter(({ about }) => about !== "")
  .map(renderRoute)
  .join("\n")}
    </dl>`;
}

function renderRoute({ method, path, about }: Route): string {
  const isLink = method === "GET" && !path.includes("/:");
  const shown = escapeHtml(path);
  return `      <dt><b>${method}</b> ${isLink ? `<a href="${shown}">${shown}</a>` : shown}</dt><dd>${escapeHtml(about)}</dd>`;
}
