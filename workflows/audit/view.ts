// The page of an audit in Temporal's UI.
import { OUTCOMES, type AuditReport, type AuditOutcome } from '../../domain/sweep/audit.js';
import { readable } from '../engine/publish.js';

export const detailsOf = (connectionId: string): string =>
  [
    `### Audit of webhook deliveries for connection/${connectionId}`,
    "**Reads the provider's log of deliveries** and delivers the events of those that failed.",
    '**Next:** the report. After an interruption, the audit continues after the last processed delivery.',
  ].join('\n\n');

const MEANS: Readonly<Record<AuditOutcome, string>> = {
  handedIn: 'delivered now',
  unreadable:
    'with an unreadable payload: each is a notification for an operator; the provider stores them for seven days',
  gone: 'listed, but no longer stored by the provider',
};

/** Tells a person why an audit did not finish. */
const STOPPED: Readonly<Record<string, string>> = {
  needs_reauthorisation: 'the merchant must consent again; the next audit then continues from here',
  forbidden:
    'the consent lacks the scope `webhooks`. Add it to OAUTH_SCOPES and let the merchant consent again, or disable audits (AUDIT_INTERVAL_HOURS=0)',
  refused:
    'the provider refused three times to return its log: contact its support. The next audit tries again',
  endless_list: "the provider's log does not end: contact its support",
};

export function detailsOfReport(report: AuditReport): string {
  const { connectionId, startedAt, endedAt, webhooks, elsewhere, missed, stopped } = report;
  const outcomes = OUTCOMES.filter((outcome) => report[outcome] > 0);
  return [
    `### Audit of webhook deliveries for connection/${connectionId}: ${missed} missed, ${report.handedIn} delivered`,
    `From ${readable(startedAt)}${endedAt === undefined ? '' : ` to ${readable(endedAt)}`}, of ${webhooks} webhooks.`,
    ...(stopped === undefined
      ? []
      : [`> **Stopped: ${stopped}.** ${STOPPED[stopped] ?? 'See the activity.'}`]),
    [
      ...outcomes.map((outcome) => `- **${report[outcome]}** ${MEANS[outcome]}`),
      `- **${elsewhere}** webhooks that point to other systems (AUDIT_WEBHOOK_URL), and were skipped`,
    ].join('\n'),
    ...outcomes.map((outcome) => listOf(outcome, report)),
  ].join('\n\n');
}

const listOf = (outcome: AuditOutcome, { named }: AuditReport): string =>
  `${outcome}: ${named[outcome].map((name) => `\`${name}\``).join(', ')}`;
