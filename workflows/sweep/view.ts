// What a sweep's page says in Temporal's UI: what it does, and what it found.
import { FINDINGS, NAMED } from '../../domain/facts/sweep.js';
import { readable } from '../entity/engine/publish.js';
import type { Finding, SweepReport } from '../../domain/facts/sweep.js';
import type { SweepEnd } from './contract.js';

export const detailsOf = (connectionId: string): string =>
  [
    `### Sweep of connection/${connectionId}`,
    "**Reads the provider's lists of agreements and of payments, 100 a request,** signals those that differ from ours, and resumes what waits for consent though there is one.",
    '**Next:** the report. After an interruption it goes on behind the last page that was read; the pending activity says how far that is.',
  ].join('\n\n');

const MEANS: Readonly<Record<Finding, string>> = {
  equal: 'as here',
  differing: 'differ, and have been signalled',
  unsettled: 'still differ though they were signalled several times: compare them by hand',
  adopted: 'were unknown here, and have a workflow now',
  unknownHere: 'are unknown here (SWEEP_ADOPTS=true gives such a workflow each)',
  over: 'are over there, and no longer known here',
  elsewhere: 'have a uid that is taken here by another connection',
  dropped: 'live there, but their workflow here was ended by force: signal or restart it',
  unreadable: 'could not be read',
};

/** Why a sweep did not reach the end, for a person. */
const STOPPED: Readonly<Record<string, string>> = {
  needs_reauthorisation: 'the merchant has to consent again; the next sweep after that reads everything',
  forbidden: 'the consent lacks a scope that the list needs; see the connection',
  refused:
    'the provider refused to give its list, or a page of it, three times over: ask it why. The next sweep tries again',
  endless_list: "the provider's list has no end: it names pages on which there is nothing new",
};

export function detailsOfEnd({ payments, resumed, ...agreements }: SweepEnd): string {
  const { connectionId, startedAt } = agreements;
  const until = payments.endedAt === undefined ? '' : ` to ${readable(payments.endedAt)}`;
  return [
    `### Sweep of connection/${connectionId}: ${agreements.differing + payments.differing} signalled`,
    `From ${readable(startedAt)}${until}.`,
    ...detailsOfReport('Agreements', agreements),
    ...detailsOfReport('Payments', payments),
    resumed === undefined
      ? 'What waits for consent was not resumed: the provider could not be asked.'
      : `**${resumed}** that waited for consent were resumed.`,
  ].join('\n\n');
}

function detailsOfReport(what: string, report: SweepReport): string[] {
  const { listed, pages, requested, differing, stopped } = report;
  const counts = FINDINGS.filter((finding) => report[finding] > 0);
  return [
    `#### ${what}: ${listed} seen, ${differing} signalled, in ${pages + requested} requests`,
    ...(stopped === undefined
      ? []
      : [`> **Stopped: ${stopped}.** ${STOPPED[stopped] ?? 'See the activity.'}`]),
    [...counts.map((finding) => `- **${report[finding]}** ${MEANS[finding]}`), `- ${missing(report)}`].join(
      '\n',
    ),
    ...[...NAMED, 'missingThere' as const].flatMap((kind) => listOf(kind, report)),
  ];
}

const missing = ({ missingThere }: SweepReport): string =>
  missingThere === undefined
    ? 'Not known whether all of ours are there: only a sweep that reads to the end can show it.'
    : `**${missingThere}** of ours are open here, and the provider does not have them`;

function listOf(kind: keyof SweepReport['named'], { named }: SweepReport): string[] {
  const uids = named[kind] ?? [];
  return uids.length === 0 ? [] : [`${kind}: ${uids.map((uid) => `\`${uid}\``).join(', ')}`];
}
