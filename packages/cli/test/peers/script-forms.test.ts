import { describeVisit } from "./an-application.ts";
import { onRequest, withExpiredSession, withLongTitle, withOriginOfOthers } from "./meddlings.ts";
import { next } from "./next.ts";
import { sveltekit } from "./sveltekit.ts";

const creating = "POST /notes/new";
/** A visit without pauses is one group, named after its first request. */
const says = /redirects to \/notes\/:id|\/notes\/new/;

for (const application of [next, sveltekit]) {
  describeVisit(application, {
    name: "form",
    creating: /^POST \/notes\/new/,
    faults: {
      "a wrong password": { variables: { PASSWORD: "wrong" }, says: /POST \/login/ },
      "a title too long": { meddle: () => onRequest(creating, withLongTitle), says },
      "the origin of another site": { meddle: () => onRequest(creating, withOriginOfOthers), says },
      "an expired session": { meddle: () => onRequest(creating, withExpiredSession("session")), says },
    },
  });
}
