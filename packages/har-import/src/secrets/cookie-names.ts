/**
 * Letters of both cases with digits in between, without separators. Only BIG-IP (`TS01…`) sets such a name
 * for everybody.
 */
const randomName = /^(?!TS01)(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])(?=\D*\d+[A-Za-z])[A-Za-z\d]{8,}$/;

/** Returns true for a random cookie name, which identifies a visitor as a token does. */
export function isRandomCookieName(name: string): boolean {
  return randomName.test(name);
}

/** Cookies of analytics, advertising and consent services: no site responds differently because of them. */
const analyticsCookie = new RegExp(
  `^(?:${[
    "_ga|_gid|_gat|_gcl|_gac|__utm|_dc_gtm|_fb[cp]$|fr$|_hj|_pk_|_pin_|_tt_|_ttp$|_uet|_clck$|_clsk$|_rdt|_scid",
    "_mkto_trk|__hs|hubspotutk|ajs_|amp_|amplitude|mp_|optimizely|_vwo|_vis_opt|s_cc$|s_sq$|s_vi$|AMCV|mbox$",
    "Optanon|OneTrust|CookieConsent|euconsent|__cmp|_sp_|intercom-|_dd_s$|NRBA|NREUM|__qca|_parsely|__gads|__gpi|IDE$",
  ].join("|")})`,
  "i",
);

/** Returns true for the name of an analytics, advertising or consent service's cookie. */
export function isAnalyticsCookie(name: string): boolean {
  return analyticsCookie.test(name);
}
