import { compressed, html, type Reply } from "../reply.ts";
import { layout } from "./layout.ts";

export const notFound: Reply = compressed(
  html(
    layout(
      "Not found",
      `    <h1>404: no bear here</h1>
    <p>There is nothing at this address. The <a href="/">front page</a> lists all addresses.</p>`,
    ),
    404,
  ),
);
