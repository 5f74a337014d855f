import { createAccounts } from "./accounts.ts";
import { apiRoutes } from "./api.ts";
import { fileRoutes } from "./assets/files.ts";
import { habitRoutes } from "./pages/habits.ts";
import { renderHome } from "./pages/home.ts";
import { shopRoutes } from "./pages/shop.ts";
import { signupRoutes } from "./pages/signup.ts";
import type { Route, Section } from "./route.ts";

/** Every address of the site. A new feature is a file of routes and a line here. */
export function createSite(): readonly Route[] {
  const sections: readonly Section[] = [
    { title: "Shop", routes: [...shopRoutes(), ...signupRoutes()] },
    { title: "API", routes: apiRoutes(createAccounts()) },
    { title: "Habits of real sites", routes: habitRoutes() },
    { title: "Files", routes: fileRoutes() },
  ];
  const home = renderHome(sections);
  return [
    { method: "GET", path: "/", about: "", answer: () => home },
    ...sections.flatMap((section) => section.routes),
  ];
}
