import { lastOf, type Visit, type VisitStep } from "../visit.ts";
import { contentType } from "../response-type.ts";
import { isPathOfWords } from "./landing-path.ts";

const isJson = /[/+]json$/;
const logout = /\/(?:log|sign)-?_?(?:out|off)(?:[/.]|$)/i;

/** Pages that differ for visitors with and without a session. */
export interface SessionPages {
  /** Pages that redirected to the login form. A visitor who still has a session is not redirected there. */
  readonly toForm: readonly Visit[];
  /**
   * Pages, or JSON, that reveal a lost session, of those whose path is the same in each run: a visitor without a session is
   * redirected from there to the login form, and gets a 200 as well.
   */
  readonly membersOnly: readonly Visit[];
}

export function findSessionPages(
  steps: readonly VisitStep[],
  isLogin: (visit: Visit) => boolean,
): SessionPages {
  const pages = new Set(steps.filter(({ kind }) => kind === "page").flatMap(firstVisit));
  const visits = steps.flatMap(visitsOf);
  const login = visits.findLastIndex(isLogin);
  if (login < 0) return { toForm: [], membersOnly: [] };
  const before = visits.slice(0, login);
  const form = before.findLast((visit) => pages.has(visit));
  const formPath = form === undefined ? null : lastOf(form).url.pathname;
  const toForm = before.filter((visit) => visit.hops.length > 0 && lastOf(visit).url.pathname === formPath);
  const after = visits.slice(login + 1);
  const end = after.findIndex(({ url }) => logout.test(url.pathname));
  const inSession = after
    .slice(0, end < 0 ? after.length : end)
    .filter((visit) => showsItself(visit) && visit.url.pathname !== formPath);
  const ownPages = inSession.filter((visit) => pages.has(visit));
  // After its login, an application of a single page loads only data.
  const shown =
    ownPages.length > 0 ? ownPages : inSession.filter(({ entry }) => isJson.test(contentType(entry)));
  const loggedOut = visits.slice(0, visits.findIndex(isLogin));
  return {
    toForm,
    membersOnly: chooseMembersOnly(shown, pathsOf(loggedOut.filter(showsItself)), pathsOf(toForm)),
  };
}

/**
 * Chooses the last page that was not `open` to a visitor without a session, and the last that was certainly `closed`.
 * If all were open, the last one may still show something else to a visitor with a session.
 */
function chooseMembersOnly(
  shown: readonly Visit[],
  open: ReadonlySet<string>,
  closed: ReadonlySet<string>,
): Visit[] {
  const last = shown.findLast(({ url }) => !open.has(url.pathname)) ?? shown.at(-1);
  const lastClosed = shown.findLast(({ url }) => closed.has(url.pathname));
  return [last, lastClosed].filter((visit) => visit !== undefined);
}

function pathsOf(visits: readonly Visit[]): ReadonlySet<string> {
  return new Set(visits.map(({ url }) => url.pathname));
}

function visitsOf({ waves }: VisitStep): Visit[] {
  return waves.flatMap(({ visits }) => visits.map(({ visit }) => visit));
}

function firstVisit(step: VisitStep): Visit[] {
  return visitsOf(step).slice(0, 1);
}

function showsItself({ entry, url, hops }: Visit): boolean {
  const isShown = entry.request.method.toUpperCase() === "GET" && entry.response?.status === 200;
  return isShown && hops.length === 0 && isPathOfWords(url.pathname);
}
