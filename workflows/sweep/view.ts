// The page of a sweep in Temporal's UI.
import { EVENT_RESOURCES, RESOURCES } from '../../domain/resources.js';
import { FINDINGS, NAMED, type Finding, type SweepReport } from '../../domain/sweep/comparison.js';
import { readable } from '../engine/publish.js';
import type { SweepEnd } from './contract.js';

export const detailsOf = (connectionId: string): string =>
  [
    `### Sweep of connection/${connectionId}`,
    `**Reads the provider's lists of ${EVENT_RESOURCES.map((resource) => RESOURCES[resource].plural).join(', ')},** 100 per request. Signals the workflows that differ, and resumes blocked workflows if the connection has consent.`,
    '**Next:** the report. After an interruption, the sweep continues after the last page that was read. The pending activity shows its progress.',
  ].join('\n\n');

const MEANS: Readonly<Record<Finding, string>> = {
  equal: 'equal',
  differing: 'differ and were signalled',
  unsettled: 'still differ after several signals: compare them manually',
  adopted: 'had no workflow and now have one',
  unknownHere: 'have no workflow (SWEEP_ADOPTS=true starts one for each)',
  over: 'have ended at the provider and no longer have a workflow',
  elsewhere: 'have a workflow on another connection',
  dropped: 'are live at the provider, but their workflow was terminated: signal or restart it',
  unreadable: 'could not be read',
};

/** Tells a person why a sweep did not finish. */
const STOPPED: Readonly<Record<string, string>> = {
  needs_reauthorisation: 'the merchant must consent again; the next sweep then reads everything',
  forbidden: 'the consent lacks a scope that the list needs; see the connection',
  refused:
    'the provider refused three times to return its list or a page of it: contact its support. The next sweep tries again',
  endless_list: "the provider's list does not end: its pages contain nothing new. Contact its support",
};

export function detailsOfEnd({ connectionId, reports, floatAccounts, resumed }: SweepEnd): string {
  const all = EVENT_RESOURCES.map((resource) => reports[resource]);
  const signalled = all.reduce((sum, { differing }) => sum + differing, 0);
  const endedAt = all.at(-1)?.endedAt;
  return [
    `### Sweep of connection/${connectionId}: ${signalled} signalled`,
    `From ${readable(all[0]?.startedAt ?? '')}${endedAt === undefined ? '' : ` to ${readable(endedAt)}`}.`,
    ...EVENT_RESOURCES.flatMap((resource) => detailsOfReport(RESOURCES[resource].plural, reports[resource])),
    floatAccountsInWords(floatAccounts),
    resumed === undefined
      ? 'Blocked workflows were not resumed, because the provider could not be called.'
      : `**${resumed}** blocked workflows were resumed.`,
  ].join('\n\n');
}

function floatAccountsInWords({ listed, started, stopped }: SweepEnd['floatAccounts']): string {
  if (stopped === undefined) return `**${listed}** float accounts, ${started} of them newly followed.`;
  return `> **Float accounts were not read: ${stopped}.** ${STOPPED[stopped] ?? 'See the activity.'}`;
}

function detailsOfReport(what: string, report: SweepReport): string[] {
  const { listed, pages, requested, differing, stopped } = report;
  const counts = FINDINGS.filter((finding) => report[finding] > 0);
  return [
    `#### ${what.charAt(0).toUpperCase()}${what.slice(1)}: ${listed} seen, ${differing} signalled, in ${pages + requested} requests`,
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
    ? 'It is unknown whether the provider lacks any of ours: only a complete sweep can show it.'
    : `**${missingThere}** have an open workflow but are missing at the provider`;

function listOf(kind: keyof SweepReport['named'], { named }: SweepReport): string[] {
  const uids = named[kind] ?? [];
  return uids.length === 0 ? [] : [`${kind}: ${uids.map((uid) => `\`${uid}\``).join(', ')}`];
}
