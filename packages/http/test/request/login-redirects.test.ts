import { expect, test } from "vitest";

import { isSentBackToLogin, isSentToLogin } from "../../src/request/redirects.ts";

test.each([
  ["/account", "/login"],
  ["/", "/login?next=%2F"],
  ["/orders/7?page=2", "/users/sign_in"],
  ["/wp-admin/", "/wp-login.php?redirect_to=x"],
  ["/app", "/en/log-in/"],
  ["/app", "/SignIn;jsessionid=0a1b"],
  ["/app", "/realms/shop/protocol/openid-connect/auth?client_id=app"],
  ["/app", "/oauth2/v2.0/authorize"],
  ["/orders", "/session/new"],
  ["/my/", "/login/index.php"],
  ["/cart", "/Account/LogOn?ReturnUrl=%2Fcart"],
  ["/customer/account/", "/customer/account/login/referer/aHR0cHM6Ly9zaG9w/"],
  ["/accessories", "/login"],
  ["/authors/5", "/login"],
  ["/coffee/espresso", "/login"],
  ["/design-online", "/login"],
])("a visitor of %s who is redirected to %s is probably not logged in", (from, to) => {
  expect(isSentToLogin(from, to)).toBe(true);
});

test.each([
  ["/login", "/en/login"],
  ["/auth/start", "/login"],
  ["/logout", "/login"],
  ["/oauth2/start", "/login"],
  ["/sso", "/login"],
  ["/account/logon", "/login"],
  ["/authentication/begin", "/login"],
  ["/events", "/events/new"],
  ["/users/sign_out", "/users/sign_in"],
  ["/session/end", "/login"],
  ["/blog", "/blog/how-to-login"],
  ["/old", "/login/help"],
  ["/authors", "/author"],
  ["/old?to=/login", "/new"],
  ["/old", "/new?from=/login"],
  ["/old", "/new#login"],
  ["/old", "/"],
])("a visitor of %s expects to be redirected to %s", (from, to) => {
  expect(isSentToLogin(from, to)).toBe(false);
});

test.each([
  ["/login", "/login?error"],
  ["/j_spring_security_check", "/login.jsp;jsessionid=1A"],
  ["/session", "/session/new"],
  ["/users/sign_in", "/users/sign_in"],
  ["/login/index.php", "/login/index.php"],
])("a form sent to %s and redirected to %s is probably a failed login", (from, to) => {
  expect(isSentBackToLogin(from, to)).toBe(true);
});

test.each([
  ["/login", "/account"],
  ["/login", "/oauth2/authorize"],
  ["/login", "/login/password"],
  ["/register", "/login"],
  ["/password/reset", "/login"],
  ["/logout", "/login"],
  ["/users/sign_out", "/users/sign_in"],
])("a form sent to %s and redirected to %s is no failed login", (from, to) => {
  expect(isSentBackToLogin(from, to)).toBe(false);
});
