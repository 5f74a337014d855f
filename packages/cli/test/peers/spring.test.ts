import { describeVisit } from "./an-application.ts";
import {
  onNthRequest,
  onRequest,
  withExpiredSession,
  withLongTitle,
  withTokenOfOthers,
} from "./meddlings.ts";
import { spring } from "./spring.ts";

const creating = "POST /notes/new";

describeVisit(spring, {
  name: "form",
  creating: /^POST \/notes\/new/,
  faults: {
    "a wrong password": { variables: { PASSWORD: "wrong" }, says: /page home/ },
    "a title too long": { meddle: () => onRequest(creating, withLongTitle), says: /in page notes\/:?id/ },
    "the CSRF token of another session": {
      meddle: (url) => onRequest(creating, withTokenOfOthers(`${url}/login`, "_csrf")),
      says: /POST \/notes\/new/,
    },
    "an expired session": {
      meddle: () => onRequest(creating, withExpiredSession("JSESSIONID")),
      says: /in page notes\/:?id/,
    },
    "a session that expires before the last page": {
      meddle: () => onNthRequest(2, "GET /", withExpiredSession("JSESSIONID")),
      says: /"ends at \/" in page home 2/,
    },
  },
});
