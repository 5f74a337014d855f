import { tryJson } from "@bearhug/text/try-json";

import { findProduct, productsOnPage } from "./catalog.ts";
import { json } from "./reply.ts";
import { get, type Route } from "./route.ts";

/** Queries by path; they return undefined if nothing matches the input. */
const procedures: Readonly<Record<string, (input: unknown) => unknown>> = {
  "product.list": (input) => productsOnPage(Number(input ?? 1)),
  "product.byId": findProduct,
};

/** Responds like a tRPC server, to one call or a batch, without its library. */
export const trpcRoute: Route = get(
  "/trpc/:paths",
  "tRPC’s queries product.list (a page) and product.byId (an id), also in batches",
  ({ params, query }) => {
    const given = tryJson(query.get("input") ?? "");
    if (query.get("batch") !== "1") {
      const { status, body } = call(params["paths"] ?? "", given);
      return json(body, status);
    }
    const inputs = new Map<string, unknown>(
      typeof given === "object" && given !== null ? Object.entries(given) : [],
    );
    const calls = (params["paths"] ?? "").split(",").map((path, index) => call(path, inputs.get(`${index}`)));
    const [status = 400, ...others] = new Set(calls.map((called) => called.status));
    return json(
      calls.map(({ body }) => body),
      others.length === 0 ? status : 207,
    );
  },
);

function call(path: string, input: unknown): { readonly status: number; readonly body: object } {
  const data = Object.hasOwn(procedures, path) ? procedures[path]?.(input) : undefined;
  if (data !== undefined) return { status: 200, body: { result: { data } } };
  const details = { code: "NOT_FOUND", httpStatus: 404, path };
  return { status: 404, body: { error: { message: `Nothing at ${path}`, code: -32004, data: details } } };
}
