import { lastOf, type Visit, type VisitStep } from "../visit.ts";
import { isPathOfWords } from "./landing-path.ts";

const logout = /\/(?:log|sign)-?_?(?:out|off)(?:[/.]|$)/i;

/**
 * Finds the last page that a visitor sees after a login, of those whose path is the same in each run. A visitor whose session
 * is lost is redirected to the login form there, and gets a 200 as well.
 */
export function lastPageAfterLogin(
  steps: readonly VisitStep[],
  isLogin: (visit: Visit) => boolean,
): Visit | null {
  const pages = new Set(steps.filter(({ kind }) => kind === "page").flatMap(firstVisit));
  const visits = steps.flatMap(visitsOf);
  const login = visits.findLastIndex(isLogin);
  if (login < 0) return null;
  const form = visits.slice(0, login).findLast((visit) => pages.has(visit));
  const after = visits.slice(login + 1);
  const end = after.findIndex(({ url }) => logout.test(url.pathname));
  const last = after
    .slice(0, end < 0 ? after.length : end)
    .findLast((visit) => pages.has(visit) && showsItself(visit));
  const isForm = form !== undefined && lastOf(form).url.pathname === last?.url.pathname;
  return last === undefined || isForm ? null : last;
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
