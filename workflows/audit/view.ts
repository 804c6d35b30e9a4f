// What an audit's page says in Temporal's UI: what it does, and what it found.
import { OUTCOMES } from '../../domain/facts/audit.js';
import { readable } from '../entity/engine/publish.js';
import type { AuditReport, Outcome } from '../../domain/facts/audit.js';

export const detailsOf = (connectionId: string): string =>
  [
    `### Audit of what was pushed for connection/${connectionId}`,
    "**Reads the provider's log of deliveries,** and hands in what was not answered or was refused.",
    '**Next:** the report. After an interruption it goes on behind the last delivery that was handed in.',
  ].join('\n\n');

const MEANS: Readonly<Record<Outcome, string>> = {
  handedIn: 'handed in now',
  unreadable:
    'with a payload that could not be read: look for them at the provider, which keeps them for seven days',
  gone: 'listed, and no longer kept by the provider',
};

/** Why an audit did not reach the end, for a person. */
const STOPPED: Readonly<Record<string, string>> = {
  needs_reauthorisation: 'the merchant has to consent again; the next audit after that reads on from here',
  forbidden:
    'the consent lacks the scope `webhooks`. Add it to OAUTH_SCOPES and let the merchant consent again, or do without audits (AUDIT_INTERVAL_HOURS=0)',
  refused: 'the provider refused its log three times over: ask it why. The next audit tries again',
  endless_list: "the provider's log has no end",
};

export function detailsOfReport(report: AuditReport): string {
  const { connectionId, startedAt, endedAt, webhooks, elsewhere, missed, underWay, stopped } = report;
  const outcomes = OUTCOMES.filter((outcome) => report[outcome] > 0);
  return [
    `### Audit of what was pushed for connection/${connectionId}: ${missed} missed, ${report.handedIn} handed in`,
    `From ${readable(startedAt)}${endedAt === undefined ? '' : ` to ${readable(endedAt)}`}, of ${webhooks} webhooks.`,
    ...(stopped === undefined
      ? []
      : [`> **Stopped: ${stopped}.** ${STOPPED[stopped] ?? 'See the activity.'}`]),
    [
      ...outcomes.map((outcome) => `- **${report[outcome]}** ${MEANS[outcome]}`),
      `- **${underWay}** that the provider still sends again by itself`,
      `- **${elsewhere}** webhooks that point to other systems (AUDIT_WEBHOOK_URL), and were left alone`,
    ].join('\n'),
    ...outcomes.map((outcome) => listOf(outcome, report)),
  ].join('\n\n');
}

const listOf = (outcome: Outcome, { named }: AuditReport): string =>
  `${outcome}: ${named[outcome].map((name) => `\`${name}\``).join(', ')}`;
