import type { Route } from "./route.ts";

export type Match =
  | { readonly kind: "found"; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "method not allowed"; readonly allowed: readonly string[] }
  | { readonly kind: "not found" };

export type Router = (method: string, path: string) => Match;

/** Finds the route of a request: literal paths first, then those with parameters, in their order. */
export function createRouter(routes: readonly Route[]): Router {
  const literal = new Map<string, Route[]>();
  const parametric: Route[] = [];
  for (const route of routes) {
    if (route.path.includes("/:")) parametric.push(route);
    else literal.set(route.path, [...(literal.get(route.path) ?? []), route]);
  }
  return (method, path) => {
    const exact = literal.get(path);
    if (exact) return choose(method, exact, () => ({}));
    const fitting = parametric.filter((route) => matchPath(route.path, path));
    return choose(method, fitting, (route) => matchPath(route.path, path) ?? {});
  };
}

function choose(
  method: string,
  candidates: readonly Route[],
  paramsOf: (route: Route) => Readonly<Record<string, string>>,
): Match {
  if (candidates.length === 0) return { kind: "not found" };
  const routeMethod = method === "HEAD" ? "GET" : method;
  const route = candidates.find((candidate) => candidate.method === routeMethod);
  if (route) return { kind: "found", route, params: paramsOf(route) };
  const allowed = candidates.flatMap((candidate) =>
    candidate.method === "GET" ? ["GET", "HEAD"] : [candidate.method],
  );
  return { kind: "method not allowed", allowed };
}

/** Returns the parameters of `path` by the names in `pattern`; undefined if it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = pattern.split("/");
  const segments = path.split("/");
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? "";
    if (name.startsWith(":")) {
      const value = decodeSegment(segment);
      if (!value) return undefined;
      params[name.slice(1)] = value;
    } else if (name !== segment) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
