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
  "/Error/Index",
  "/error/token/1A",
  "/errors/pages/404",
  "/de/404.php",
  "/4xx.html",
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
  "/img/512.png",
  "/photos/450.jpg",
  "/orders/404.json",
  "/topics/573.html",
  "/docs/errors/E1001",
  "/de/wiki/error",
  "/services/maintenance",
  "/movies/oops",
])("%s looks like any page", (path) => {
  expect(isErrorPage(path)).toBe(false);
});
