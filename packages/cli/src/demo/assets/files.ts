import { demoPassword, users } from "../accounts.ts";
import { findProduct } from "../catalog.ts";
import { compressed, file, json, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";
import { notFound } from "../pages/not-found.ts";
import { encodePng } from "./encode-png.ts";
import { encodeWebp } from "./encode-webp.ts";
import { logo } from "./logo.ts";
import { aurora, honeycomb } from "./pictures.ts";
import { renderScript } from "./script.ts";
import { stylesheet } from "./style.ts";

/** The files of the site, made once at the start; products' pictures when first asked for. */
export function fileRoutes(): readonly Route[] {
  return [
    always("/style.css", "The style sheet", compressed(file("text/css; charset=utf-8", stylesheet))),
    always(
      "/app.js",
      "The script",
      compressed(file("text/javascript; charset=utf-8", renderScript(users[0]?.name ?? "", demoPassword))),
    ),
    always("/hero.webp", "The picture above", file("image/webp", encodeWebp(aurora))),
    always("/logo.svg", "The bear", compressed(file("image/svg+xml", logo))),
    {
      method: "GET",
      path: "/images/:name",
      about: "Products’ pictures: 1.png, 2.png …",
      answer: productPictures(),
    },
    always("/users.json", "The users who can log in: test data for a script", compressed(json(users))),
    always("/robots.txt", "", file("text/plain; charset=utf-8", "User-agent: *\nDisallow: /\n")),
  ];
}

function always(path: string, about: string, reply: Reply): Route {
  return { method: "GET", path, about, answer: () => reply };
}

function productPictures(): Route["answer"] {
  const pictures = new Map<number, Reply>();
  return ({ params }) => {
    const product = findProduct(/^(\d+)\.png$/.exec(params["name"] ?? "")?.[1]);
    if (!product) return notFound;
    const picture = pictures.get(product.id) ?? file("image/png", encodePng(honeycomb(product.id)));
    pictures.set(product.id, picture);
    return picture;
  };
}
