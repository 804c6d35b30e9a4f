// The findings of the demo, as a table for people and as JSON for programs.
import Table from 'cli-table3';
import type { Audit, AuditedAgreement, AuditedPayment } from './audit.js';
import type { Latency } from './latency.js';
import { memoryDifferences, memoryInWords, type Memory } from './memory.js';
import type { Scenario } from './scene.js';

export interface Findings {
  scenarios: Scenario[];
  audit: Audit;
  latency: Latency;
  memory: Memory[];
  seconds: number;
}

export const differencesIn = ({ audit, memory }: Findings): string[] => [
  ...audit.differences,
  ...memoryDifferences(memory),
];

/** The findings of a demo in both formats. */
export interface Report {
  json: JsonReport & Record<string, unknown>;
  text: string;
}

export const reportOf = (findings: Findings): Report => ({
  json: jsonReport(findings),
  text: textReport(findings),
});

/** The last lines of the text: what the demo found, or the differences. */
export const endOf = (differences: readonly string[], ...findings: readonly string[]): readonly string[] =>
  differences.length === 0
    ? findings
    : ['Differences:', ...differences.map((difference) => `  ${difference}`)];

export interface JsonReport {
  ok: boolean;
  differences: string[];
}

export function jsonReport(findings: Findings): JsonReport & Record<string, unknown> {
  const differences = differencesIn(findings);
  const { audit, latency, memory, scenarios, seconds } = findings;
  return {
    ok: differences.length === 0,
    differences,
    seconds,
    agreements: audit.agreements.map((agreement) => ({
      uid: agreement.uid,
      story: scenarios.find(({ uid }) => uid === agreement.uid)?.title,
      state: agreement.stateHere,
      state_at_provider: agreement.stateAtProvider,
      learned_by: agreement.receivedBy,
      seconds: scenarios.find(({ uid }) => uid === agreement.uid)?.seconds,
      payments: agreement.payments.map(jsonPayment),
    })),
    webhook_to_visible_ms: { samples: latency.samples, p50: latency.p50Ms, p99: latency.p99Ms },
    tokens: { by_consent: audit.tokens.byConsent, by_refresh: audit.tokens.byRefresh },
    memory_mb: Object.fromEntries(memory.map((one) => [one.process, one.residentMb])),
  };
}

const jsonPayment = (payment: AuditedPayment) => ({
  uid: payment.uid,
  state: payment.stateHere,
  state_at_provider: payment.stateAtProvider,
  submissions: payment.submissions,
  accepted_by_provider: payment.acceptedByProvider,
  settlements: payment.settlements,
});

export function textReport(findings: Findings): string {
  const { audit, latency, memory, seconds } = findings;
  const differences = differencesIn(findings);
  const head = ['agreement', 'scenario', 'provider', 'workflow', 'received by', 'payments', 'time'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const agreement of audit.agreements) table.push(rowOf(agreement, findings));
  return [
    table.toString(),
    `webhook sent → visible through the API: p50 ${latency.p50Ms} ms, p99 ${latency.p99Ms} ms (${latency.samples} samples)`,
    memoryInWords(memory),
    `token calls: ${audit.tokens.byConsent} by consent, ${audit.tokens.byRefresh} by refresh`,
    `${seconds} s in total`,
    ...endOf(differences, "The provider's ledger and the workflows agree."),
  ].join('\n');
}

function rowOf(agreement: AuditedAgreement, { scenarios }: Findings): string[] {
  const scenario = scenarios.find(({ uid }) => uid === agreement.uid);
  const payments = agreement.payments.map(
    ({ uid, stateHere, settlements }) => `${uid} ${stateHere} ×${settlements}`,
  );
  return [
    agreement.uid,
    scenario?.title ?? '',
    agreement.stateAtProvider,
    agreement.stateHere,
    agreement.receivedBy,
    payments.join('\n') || 'none',
    `${scenario?.seconds ?? 0} s`,
  ];
}
