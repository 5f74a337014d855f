import { type Accounts, demoPassword } from "./accounts.ts";
import { findProduct, pageCount, productsOnPage } from "./catalog.ts";
import { type Fields, readFields } from "./fields.ts";
import { compressed, json, refusal, type Reply } from "./reply.ts";
import { type DemoRequest, get, post, type Route } from "./route.ts";
import type { ScriptGuard } from "./script-guard.ts";
import type { Sessions } from "./sessions.ts";

const maxQuantity = 99;

/**
 * Returns the routes of the JSON API: log in, browse products, add to a cart. Carts are priced but not
 * stored.
 */
export function apiRoutes(accounts: Accounts, sessions: Sessions, guard: ScriptGuard): readonly Route[] {
  const pages = new Map(Array.from({ length: pageCount }, (_, index) => [index + 1, renderPage(index + 1)]));
  return [
    post(
      "/api/login",
      `JSON { user, password }, with password “${demoPassword}”; returns { token }, or 401`,
      (request) => logIn(accounts, request),
    ),
    get("/api/me", "The user of the bearer token; 401 without one", (request) => showUser(accounts, request)),
    get(
      "/api/products",
      `Products, ten to a page (?page=1 to ${pageCount}), and the number of the next page`,
      ({ query }) => pages.get(Number(query.get("page") ?? 1)) ?? refusal(404, "no such page"),
    ),
    get("/api/products/:id", "One product", ({ params }) => {
      const product = findProduct(params["id"]);
      return product ? json(product) : refusal(404, "no such product");
    }),
    post(
      "/api/cart",
      "JSON { product, quantity }; 201 with the total. Needs the bearer token, or the headers that /app.js sends",
      (request) =>
        accounts.authenticate(request.headers.authorization)
          ? addToCart(request)
          : addForSession(sessions, guard, request),
    ),
    get(
      "/api/session",
      "The logged-in user, and the csrf token that scripts send as x-csrf-token; otherwise nulls",
      (request) => showSession(sessions, guard, request),
    ),
  ];
}

const anonymous = json({ user: null, csrf: null });

function showSession(sessions: Sessions, guard: ScriptGuard, { headers }: DemoRequest): Reply {
  const session = sessions.readUser(headers);
  return session ? json({ user: session.user.name, csrf: guard.tokenFor(session) }) : anonymous;
}

const unauthorized: Reply = {
  ...refusal(401, "log in first: POST /api/login"),
  headers: { "content-type": "application/json; charset=utf-8", "www-authenticate": "Bearer" },
};

function logIn(accounts: Accounts, request: DemoRequest): Reply {
  const fields = readFields(request);
  if (!fields) return refusal(400, "send JSON { user, password }");
  const token = accounts.logIn(fields["user"], fields["password"]);
  return token === undefined ? refusal(401, "wrong user or password") : json({ token });
}

function showUser(accounts: Accounts, { headers }: DemoRequest): Reply {
  const user = accounts.authenticate(headers.authorization);
  return user ? json(user) : unauthorized;
}

function renderPage(page: number): Reply {
  const next = page < pageCount ? page + 1 : null;
  return compressed(json({ page, pages: pageCount, next, products: productsOnPage(page) }));
}

function addForSession(sessions: Sessions, guard: ScriptGuard, request: DemoRequest): Reply {
  const session = sessions.readUser(request.headers);
  if (!session) return unauthorized;
  return guard.refuse(session, request.headers) ?? addToCart(request);
}

function addToCart(request: DemoRequest): Reply {
  const fields = readFields(request);
  const product = findProduct(fields?.["product"]);
  const quantity = readQuantity(fields);
  if (!product) return refusal(422, "no such product");
  if (quantity === undefined) return refusal(422, `quantity must be a whole number from 1 to ${maxQuantity}`);
  return json({ product: product.id, quantity, totalCents: product.priceCents * quantity }, 201);
}

function readQuantity(fields: Fields | undefined): number | undefined {
  const quantity = fields?.["quantity"] ?? 1;
  if (typeof quantity !== "number" || !Number.isInteger(quantity)) return undefined;
  return quantity >= 1 && quantity <= maxQuantity ? quantity : undefined;
}
