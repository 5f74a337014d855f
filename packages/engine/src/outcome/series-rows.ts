import type { Accumulator } from "@bearhug/metrics/accumulator";
import type { MetricInfo } from "@bearhug/metrics/metric-catalog";
import type { SeriesStore, StoredSeries } from "@bearhug/metrics/series-store";
import { detailTags, type Tags } from "@bearhug/metrics/tags";

/** One metric of one series. */
export interface SeriesRow {
  readonly metric: string;
  readonly tags: Tags;
  readonly accumulator: Accumulator;
}

/**
 * Returns a row for each metric of every series. Detail metrics are merged by scenario and page, because they
 * are numerous and rarely read.
 */
export function seriesRows(store: SeriesStore, catalog: ReadonlyMap<string, MetricInfo>): SeriesRow[] {
  const isDetail = (metric: string): boolean => catalog.get(metric)?.isDetail === true;
  const details = store.groupBy(detailTags, () => true, isDetail);
  return [...rowsOf(store.all(), (metric) => !isDetail(metric)), ...rowsOf(details, isDetail)];
}

function rowsOf(series: Iterable<StoredSeries>, isWanted: (metric: string) => boolean): SeriesRow[] {
  const rows: SeriesRow[] = [];
  for (const { tags, metrics } of series)
    metrics.forEach((accumulator, metric) => {
      if (isWanted(metric)) rows.push({ metric, tags, accumulator });
    });
  return rows;
}
