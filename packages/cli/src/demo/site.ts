import { createAccounts } from "./accounts.ts";
import { apiRoutes } from "./api.ts";
import { chatRoute } from "./chat.ts";
import { fileRoutes } from "./files.ts";
import { graphqlRoute } from "./graphql.ts";
import { accountRoutes, signupRoutes } from "./pages/account.ts";
import { habitRoutes } from "./pages/habits.ts";
import { renderHome } from "./pages/home.ts";
import { loginRoutes } from "./pages/login.ts";
import { photoRoutes } from "./pages/photo.ts";
import { reviewRoutes } from "./pages/reviews.ts";
import { shopRoutes } from "./pages/shop.ts";
import { get, type Route, type Section } from "./route.ts";
import { createScriptGuard } from "./script-guard.ts";
import { createSessions } from "./sessions.ts";
import { trpcRoute } from "./trpc.ts";

/** Returns every route of the site. A new feature is a file of routes and a line here. */
export function createSite(): readonly Route[] {
  const sessions = createSessions();
  const guard = createScriptGuard(sessions);
  const sections: readonly Section[] = [
    { title: "Shop", routes: [...shopRoutes(), ...signupRoutes()] },
    {
      title: "With a session",
      routes: [
        ...loginRoutes(sessions),
        ...accountRoutes(sessions),
        ...photoRoutes(sessions),
        ...reviewRoutes(sessions, guard),
      ],
    },
    { title: "API", routes: apiRoutes(createAccounts(), sessions, guard) },
    { title: "For clients of your own", routes: [graphqlRoute, trpcRoute, chatRoute] },
    { title: "Habits of real sites", routes: habitRoutes() },
    { title: "Files", routes: fileRoutes() },
  ];
  const home = renderHome(sections);
  return [get("/", "", () => home), ...sections.flatMap((section) => section.routes)];
}
