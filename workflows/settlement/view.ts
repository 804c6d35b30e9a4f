// The page of a settlement run in Temporal's UI.
import type { SettlementEnd } from './contract.js';

export const detailsOf = (connectionId: string): string =>
  [
    `### Settlement reports of connection/${connectionId}`,
    '**Fetches the reports that are due**, and stores each version once.',
    '**Next:** the list of days. An interrupted run is repeated, and stores nothing twice.',
  ].join('\n\n');

const MEANS: Readonly<Record<SettlementEnd['days'][number]['found'], string>> = {
  stored: 'stored',
  absent: 'not at the provider yet; the next run asks again',
  late: '**late**: its business day has ended and the provider has no report. Ask the provider; the next run asks again',
  unreadable: '**unreadable**: stored, but none of its lines counts. Ask the provider for a new one',
  other_day: '**of another day**: stored, but none of its lines counts. Ask the provider for a new one',
};

/** Tells a person why nothing could be fetched. */
const STOPPED: Readonly<Record<string, string>> = {
  needs_reauthorisation: 'the merchant must consent again',
  forbidden:
    'the provider does not allow settlement reports: access is limited, so ask it; or disable them (SETTLEMENT_INTERVAL_HOURS=0)',
};

export function detailsOfEnd({ days, stopped }: SettlementEnd): string {
  const late = days.filter(({ found }) => found !== 'stored' && found !== 'absent').length;
  return [
    `### Settlement reports: ${days.length} days fetched, ${late} need attention`,
    ...(stopped === undefined
      ? []
      : [`> **Stopped: ${stopped}.** ${STOPPED[stopped] ?? 'See the activity.'}`]),
    days
      .map(
        ({ day, found, stored }) =>
          `- ${day}: ${MEANS[found]}${stored === 'changed' ? '; the provider has changed it, and the new version counts' : ''}`,
      )
      .join('\n'),
    'GET /v1/reconciliation/{day} compares each day with our payments and refunds.',
  ].join('\n\n');
}
