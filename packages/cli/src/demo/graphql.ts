import { findProduct, productsOnPage } from "./catalog.ts";
import { readFields } from "./fields.ts";
import { json } from "./reply.ts";
import { post, type Route } from "./route.ts";

/**
 * The operations that the site supports by name, like servers with trusted documents: no document is ever
 * parsed.
 */
const operations: Readonly<Record<string, (variables: Readonly<Record<string, unknown>>) => object>> = {
  Products: ({ page }) => ({ products: productsOnPage(Number(page ?? 1)) }),
  Product: ({ id }) => ({ product: findProduct(id) ?? null }),
};

export const graphqlRoute: Route = post(
  "/graphql",
  "GraphQL’s operations Products($page) and Product($id), known by their names; returns all fields",
  (request) => {
    const fields = readFields(request);
    if (!fields) return refuse("Send JSON { query, variables, operationName }.", 400);
    const { operationName, variables } = fields;
    if (typeof operationName !== "string" || !Object.hasOwn(operations, operationName))
      return refuse(`The demo only knows the operations ${Object.keys(operations).join(" and ")}.`);
    return json({ data: operations[operationName]?.({ ...(variables as object | null) }) });
  },
);

const refuse = (message: string, status = 200): ReturnType<typeof json> =>
  json({ errors: [{ message }] }, status);
