import { readFileSync } from "node:fs";
import { demoPassword, users } from "./accounts.ts";
import { findProduct } from "./catalog.ts";
import { notFound } from "./pages/not-found.ts";
import { compressed, file, json, type Reply } from "./reply.ts";
import { get, type Route } from "./route.ts";
import { renderScript } from "./visitor-script.ts";

/** Returns the routes of the site's files, which are read once at the start. */
export function fileRoutes(): readonly Route[] {
  return [
    always("/style.css", "The style sheet", compressed(file("text/css; charset=utf-8", asset("style.css")))),
    always(
      "/app.js",
      "The script",
      compressed(file("text/javascript; charset=utf-8", renderScript(users[0]?.name ?? "", demoPassword))),
    ),
    always("/hero.webp", "The picture above", file("image/webp", asset("hero.webp"))),
    always("/logo.svg", "The bear", compressed(file("image/svg+xml", asset("logo.svg")))),
    get("/images/:name", "Products’ pictures: 1.png, 2.png …", productPictures()),
    always("/users.json", "The users who can log in: test data for a script", compressed(json(users))),
    always("/robots.txt", "", file("text/plain; charset=utf-8", "User-agent: *\nDisallow: /\n")),
  ];
}

/** Reads a file of the package. */
function asset(name: string): Buffer {
  return readFileSync(new URL(import.meta.resolve(`#assets/demo/${name}`)));
}

function always(path: string, about: string, reply: Reply): Route {
  return get(path, about, () => reply);
}

function productPictures(): Route["respond"] {
  // One picture for each flavour, in the order of the catalogue.
  const pictures = [1, 2, 3, 4, 5].map((flavour) => file("image/png", asset(`honey-${flavour}.png`)));
  return ({ params }) => {
    const product = findProduct(/^(\d+)\.png$/.exec(params["name"] ?? "")?.[1]);
    return (product && pictures[(product.id - 1) % pictures.length]) ?? notFound;
  };
}
