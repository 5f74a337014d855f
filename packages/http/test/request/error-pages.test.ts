import { expect, test } from "vitest";

import { isErrorPage } from "../../src/request/redirects.ts";

test.each([
  "/Error.aspx?aspxerrorpath=/cart",
  "/error",
  "/errors/404",
  "/Error/NotFound",
  "/shop/error/500.html",
  "/404.html",
  "/50x.html",
  "/page-not-found",
  "/maintenance.html",
  "/service_unavailable",
  "/access-denied;jsessionid=1A",
  "/_layouts/15/AccessDenied.aspx",
  "/too-many-requests",
  "/captcha",
])("%s looks like an error page", (path) => {
  expect(isErrorPage(path)).toBe(true);
});

test.each([
  "/",
  "/products/404",
  "/500",
  "/blog/a-comedy-of-errors",
  "/terrors",
  "/errors-and-omissions",
  "/search?q=/error",
  "/login",
])("%s looks like any page", (path) => {
  expect(isErrorPage(path)).toBe(false);
});
