import { describeVisit, type Visit, type VisitFault } from "./an-application.ts";
import { django } from "./django.ts";
import {
  onNthRequest,
  onRequest,
  withExpiredSession,
  withLongTitle,
  withTokenOfOthers,
} from "./meddlings.ts";

const refusals = (login: string, creating: string, says: RegExp): Readonly<Record<string, VisitFault>> => ({
  "a title too long": { meddle: () => onRequest(creating, withLongTitle), says },
  "the CSRF token of another session": {
    meddle: (url) => onRequest(creating, withTokenOfOthers(url + login, "csrfmiddlewaretoken")),
    says,
  },
  "an expired session": { meddle: () => onRequest(creating, withExpiredSession("sessionid")), says },
});

const site: Visit = {
  name: "site",
  creating: /^POST \/notes\/new/,
  faults: {
    "a wrong password": { variables: { PASSWORD: "wrong" }, says: /in page home/ },
    ...refusals("/login/", "POST /notes/new/", /in page notes\/:?id/),
    "a session that expires before the last page": {
      meddle: () => onNthRequest(3, "GET /", withExpiredSession("sessionid")),
      says: /"ends at \/" in page/,
    },
  },
};

describeVisit(django, site);
describeVisit(django, { ...site, name: "site over HTTPS", isSecure: true });
describeVisit(django, { ...site, name: "site, logged in already", flow: "flow-without-logout.ts" });

describeVisit(django, {
  name: "admin",
  path: "/admin/",
  flow: "flow-of-admin.ts",
  creating: /^POST \/admin\/notes\/note\/add/,
  faults: {
    "a wrong password": { variables: { PASSWORD: "wrong" }, says: /in page admin\b/ },
    ...refusals("/admin/login/", "POST /admin/notes/note/add/", /in page admin\/notes\/note 2/),
  },
});
