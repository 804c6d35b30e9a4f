// The findings of the payments demo, as a table for people and as JSON for programs.
import Table from 'cli-table3';
import { memoryDifferences, memoryInWords, type Memory } from '../memory.js';
import { endOf, type Report } from '../report.js';
import type { PaymentsAudit } from './audit.js';

export interface PaymentFindings {
  audit: PaymentsAudit;
  memory: Memory[];
  seconds: number;
}

export function paymentsReport({ audit, memory, seconds }: PaymentFindings): Report {
  const differences = [...audit.differences, ...memoryDifferences(memory)];
  const head = ['payment', 'scenario', 'provider', 'workflow', 'attempts', 'settled', 'refunded'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const one of audit.payments)
    table.push([
      one.uid,
      one.scenario,
      one.stateAtProvider,
      one.state,
      one.attempts,
      `×${one.settlements}`,
      one.refunded,
    ]);
  return {
    json: {
      ok: differences.length === 0,
      differences,
      seconds,
      payments: audit.payments.map(({ stateAtProvider, ...one }) => ({
        ...one,
        state_at_provider: stateAtProvider,
      })),
      memory_mb: Object.fromEntries(memory.map((one) => [one.process, one.residentMb])),
    },
    text: [
      table.toString(),
      memoryInWords(memory),
      `${seconds} s in total`,
      ...endOf(
        differences,
        'A plan over three months, a successful retry, a partial refund, and a stop that ended.',
        "The provider's ledger and the workflows agree.",
      ),
    ].join('\n'),
  };
}
