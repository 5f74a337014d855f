import { compressed, html, type Reply } from "../reply.ts";
import { layout } from "./layout.ts";

export const notFound: Reply = compressed(
  html(
    layout(
      "Not found",
      `    <h1>404: no bear here</h1>
    <p>Nothing lives at this address. The <a href="/">front page</a> lists all that do.</p>`,
    ),
    404,
  ),
);
