/** Sites, by a domain and all below it, that measure visitors or sell their attention, and do nothing else there. */
const domains = new Set(
  `2mdn.net 2o7.net 3lift.com ad-score.com adform.net adition.com adnxs.com adroll.com ads-twitter.com adsafeprotected.com
  adservice.google.com adsrvr.org advertising.com agkn.com alb.reddit.com amazon-adsystem.com amplitude.com
  analytics.google.com analytics.tiktok.com analytics.twitter.com analytics.yahoo.com appdynamics.com
  app-measurement.com bat.bing.com bidswitch.net bluekai.com bounceexchange.com browser-intake-datadoghq.com
  browser-intake-datadoghq.eu c.bing.com casalemedia.com chartbeat.com chartbeat.net clarity.ms clicktale.net
  cloudflareinsights.com commander1.com connect.facebook.net crazyegg.com criteo.com criteo.net crwdcntrl.net
  ct.pinterest.com demdex.net doubleclick.net doubleverify.com etracker.com etracker.de everesttech.net exelator.com
  eum-appdynamics.com eyeota.net fullstory.com getclicky.com go-mpulse.net google-analytics.com googleadservices.com
  googlesyndication.com googletagmanager.com googletagservices.com heap-api.com heapanalytics.com hotjar.com hotjar.io
  hs-analytics.net imrworldwide.com infonline.de ioam.de js-agent.newrelic.com krxd.net linksynergy.com liadm.com
  lijit.com logrocket.io logs.datadoghq.com lr-ingest.io lux.speedcurve.com mathtag.com matomo.cloud mc.yandex.com
  mc.yandex.ru media.net mixpanel.com moatads.com mouseflow.com mxpnl.com nr-data.net omtrdc.net openx.net
  optimizely.com outbrain.com parsely.com permutive.com pippio.com plausible.io posthog.com pubmatic.com
  px.ads.linkedin.com quantcount.com quantserve.com rlcdn.com rubiconproject.com sc-static.net scorecardresearch.com
  segment.com segment.io semasio.net sharethrough.com simpleanalyticscdn.com smartadserver.com smartlook.com
  snap.licdn.com snowplowanalytics.com static.ads-twitter.com taboola.com tapad.com teads.tv theadex.com tiqcdn.com
  tr.snapchat.com umami.is usefathom.com webtrekk.net webtrends.com webtrendslive.com wt-eu02.net xplosion.de
  yieldlab.net zemanta.com`.split(/\s+/),
);

/** Those that are known by what they are called inside a bigger site: `o42.ingest.us.sentry.io`. */
const shapes = [/(^|\.)ingest(\.[a-z]{2})?\.sentry\.io$/, /^adservice\.google\.[a-z.]{2,6}$/];

/** Whether a host is one of those that everybody leaves out of a load test. */
export function isTrackingHost({ hostname }: URL): boolean {
  const labels = hostname.split(".");
  return (
    labels.some((_, index) => domains.has(labels.slice(index).join("."))) ||
    shapes.some((shape) => shape.test(hostname))
  );
}
