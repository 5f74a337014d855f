import { lastOf, type Visit, type VisitStep } from "../visit.ts";
import { isPathOfWords } from "./landing-path.ts";

const logout = /\/(?:log|sign)-?_?(?:out|off)(?:[/.]|$)/i;

/** Pages that differ for visitors with and without a session. */
export interface SessionPages {
  /** Pages that redirected to the login form. A visitor who still has a session is not redirected there. */
  readonly toForm: readonly Visit[];
  /**
   * The last page after the login, of those whose path is the same in each run; null if there is none. A visitor whose
   * session is lost is redirected to the login form there, and gets a 200 as well.
   */
  readonly last: Visit | null;
}

export function findSessionPages(
  steps: readonly VisitStep[],
  isLogin: (visit: Visit) => boolean,
): SessionPages {
  const pages = new Set(steps.filter(({ kind }) => kind === "page").flatMap(firstVisit));
  const visits = steps.flatMap(visitsOf);
  const login = visits.findLastIndex(isLogin);
  if (login < 0) return { toForm: [], last: null };
  const before = visits.slice(0, login);
  const form = before.findLast((visit) => pages.has(visit));
  const formPath = form === undefined ? null : lastOf(form).url.pathname;
  const after = visits.slice(login + 1);
  const end = after.findIndex(({ url }) => logout.test(url.pathname));
  const last = after
    .slice(0, end < 0 ? after.length : end)
    .findLast((visit) => pages.has(visit) && showsItself(visit));
  return {
    toForm: before.filter((visit) => visit.hops.length > 0 && lastOf(visit).url.pathname === formPath),
    last: last === undefined || last.url.pathname === formPath ? null : last,
  };
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
