// The statements of the readers on a million payments, each run often, and judged by its slowest ones.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { connectionOf } from '../../records/pool.js';
import { createReader, type RecordReader } from '../../records/read.js';
import { SealError, type Keyring } from '../../sealing/keyring.js';
import { percentile, type Figure } from '../figures.js';
import { CONNECTIONS, PAYMENTS, TERMS } from './million.js';
import type { ResourceName } from '../../domain/resources.js';
import type { RowFilter, Sort } from '../../records/lists.js';
import type { RecordsSettings } from '../../records/settings.schema.js';
import type { Tables } from '../../records/tables.js';

const RUNS = 20;
const PER_PAGE = 100;
const LIMIT_MS = 100;
const YEAR_LIMIT_MS = 500;

interface Question {
  ask: (reader: RecordReader) => Promise<unknown>;
  /** Absent for what no index serves. */
  limit?: number;
}

/** Milliseconds of all statements of a question, with their round trips. */
export async function readerFigures(
  settings: RecordsSettings,
  keyring: Keyring,
  report: (figure: Figure) => void,
): Promise<void> {
  let met = 0;
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool(connectionOf(settings)) }),
    log: ({ queryDurationMillis }) => void (met += queryDurationMillis),
  });
  const reader = createReader({ db, keyring });
  for (const [what, { ask, limit }] of Object.entries(QUESTIONS)) {
    const times: number[] = [];
    while (times.length < RUNS) {
      met = 0;
      await ask(reader).catch(ignoreSealing);
      times.push(met);
    }
    report({
      what: `${PAYMENTS} payments, ${what}: SQL ms p95`,
      met: percentile(times, 95),
      ...(limit && { limit }),
    });
  }
  await db.destroy();
}

/** The rows cannot be opened (million.ts). */
function ignoreSealing(error: unknown): void {
  if (!(error instanceof SealError)) throw error;
}

const list = (
  resource: ResourceName,
  filter: RowFilter,
  by: Sort['by'] = 'created',
  isDescending = true,
) => ({
  ask: ({ list: page }: RecordReader) =>
    page(resource, { filter, sort: { by, isDescending }, after: undefined, limit: PER_PAGE }),
  limit: LIMIT_MS,
});
const ask = (question: Question['ask'], limit = LIMIT_MS): Question => ({ ask: question, limit });

const { large, small, unknown } = CONNECTIONS;
const SAME_AMOUNT = { from: 4242, until: 4243 };
const NO_AMOUNT = { from: 999_999 };
const OLD_DAY = { from: '2025-01-10T00:00:00.000Z', until: '2025-01-11T00:00:00.000Z' };
const NEWEST = { from: '2026-12-01T23:50:00.000Z' };
const NEVER = { from: '2027-12-01T00:00:00.000Z' };
const SINCE_2026 = { from: '2026-01-01T00:00:00.000Z' };
const FIRST_DAY = { from: '2024-12-31T13:00:00.000Z', until: '2025-01-01T13:00:00.000Z' };
const MONTH = { from: '2026-04-30T14:00:00.000Z', until: '2026-05-31T14:00:00.000Z' };
const YEAR = { from: '2025-06-01T14:00:00.000Z', until: '2026-06-02T14:00:00.000Z' };
const CREDIT = {
  ...{ receivedAt: '2026-06-01T02:00:00.000Z', texts: ['from a payer'], payerAccount: '200001-12340001' },
};
const RUNNING = { running: ['active'], gone: ['closed'] };

const QUESTIONS: Readonly<Record<string, Question>> = {
  newest: list('payment', {}),
  'state failed': list('payment', { states: ['failed'] }),
  'state that none has': list('payment', { states: ['withdrawn'] }),
  'state that none has, large connection': list('payment', { connection: large, states: ['withdrawn'] }),
  'state failed, small connection': list('payment', { connection: small, states: ['failed'] }),
  'state failed, by amount': list('payment', { states: ['failed'] }, 'amount'),
  'state that none has, by amount': list('payment', { states: ['withdrawn'] }, 'amount'),
  'attention parked': list('payment', { attention: 'parked' }),
  'awaiting operator': list('payment', { awaiting: 'operator' }),
  'unknown connection': list('payment', { connection: unknown }),
  'reference that none has': list('payment', { terms: [TERMS.none] }),
  'reference that none has, small connection': list('payment', { connection: small, terms: [TERMS.none] }),
  'reference that none has, large connection': list('payment', { connection: large, terms: [TERMS.none] }),
  'metadata of one payment': list('payment', { terms: [TERMS.single] }),
  'metadata of one payment, by amount': list('payment', { terms: [TERMS.single] }, 'amount'),
  'metadata of 20,000': list('payment', { terms: [TERMS.fiftieth] }),
  'metadata of 20,000, small connection': list('payment', { connection: small, terms: [TERMS.fiftieth] }),
  'metadata of 20,000, by amount': list('payment', { terms: [TERMS.fiftieth] }, 'amount'),
  'metadata of 500,000': list('payment', { terms: [TERMS.half] }),
  'metadata of 500,000, large connection': list('payment', { connection: large, terms: [TERMS.half] }),
  'metadata of 500,000, by amount': list('payment', { terms: [TERMS.half] }, 'amount'),
  'metadata of the oldest 200,000': { ask: list('payment', { terms: [TERMS.oldest] }).ask },
  'metadata of 500,000 and a reference': list('payment', { terms: [TERMS.half, TERMS.none] }),
  'updated in the last minutes': list('payment', { updated: NEWEST }),
  'updated in the last minutes, by amount': list('payment', { updated: NEWEST }, 'amount'),
  'updated in the last minutes, small connection': list('payment', { connection: small, updated: NEWEST }),
  'updated never': list('payment', { updated: NEVER }),
  'updated never, large connection': list('payment', { connection: large, updated: NEVER }),
  'updated since 2026': list('payment', { updated: SINCE_2026 }),
  'updated since 2026, oldest first': { ask: list('payment', { updated: SINCE_2026 }, 'created', false).ask },
  'updated in a month, oldest first': list('payment', { updated: MONTH }, 'created', false),
  'updated in a month, by amount': list('payment', { updated: MONTH }, 'amount'),
  'amount of 250,000': list('payment', { amount: SAME_AMOUNT }),
  'amount of 250,000, small connection': list('payment', { connection: small, amount: SAME_AMOUNT }),
  'amount of 8': list('payment', { amount: { from: 4343, until: 4344 } }),
  'amount that none has': list('payment', { amount: NO_AMOUNT }),
  'amount that none has, large connection': list('payment', { connection: large, amount: NO_AMOUNT }),
  'by amount': list('payment', {}, 'amount', false),
  'by amount, large connection': list('payment', { connection: large }, 'amount'),
  'by amount, small connection': list('payment', { connection: small }, 'amount'),
  'by amount, a day': list('payment', { created: OLD_DAY }, 'amount'),
  'by settlement': list('payment', {}, 'settled'),
  'by settlement, small connection': list('payment', { connection: small }, 'settled', false),
  'settled on a day': list('payment', { settled: OLD_DAY }),
  'settled on a day, large connection': list('payment', { connection: large, settled: OLD_DAY }),
  'client with half of the agreements': list('payment', { client: 'client-0' }),
  'client with 200 agreements': list('payment', { client: 'client-7' }),
  'client with 200 agreements, by amount': list('payment', { client: 'client-7' }, 'amount'),
  'unknown client': list('payment', { client: 'nobody' }),
  'agreements of a client': list('agreement', { client: 'client-7' }),
  'agreements with a reference that none has': list('agreement', { terms: [TERMS.none] }),
  'agreements updated never': list('agreement', { updated: NEVER }),
  'agreements in a state, updated never': list('agreement', { states: ['active'], updated: NEVER }),
  'refunds with an amount that none has': list('refund', { amount: NO_AMOUNT }),
  'refunds by amount': list('refund', {}, 'amount'),
  'candidates of a credit': ask(({ candidates }) =>
    candidates({ ...CREDIT, connectionId: large, amount: 5151 }),
  ),
  'candidates of a credit, frequent amount': ask(({ candidates }) =>
    candidates({ ...CREDIT, connectionId: large, amount: 4242 }),
  ),
  'candidates of a credit, small connection': ask(({ candidates }) =>
    candidates({ ...CREDIT, connectionId: small, amount: 4242 }),
  ),
  'counterparties of an account': ask(({ counterpartiesWith }) => counterpartiesWith('account-77', 10)),
  'clients beneath 400 others': ask(({ beneath }) => beneath('client-7', RUNNING, PER_PAGE)),
  'clients beneath the first': ask(({ beneath }) => beneath('client-0', RUNNING, PER_PAGE)),
  'changes from the start': ask(({ changed }) =>
    changed('payment', { filter: {}, after: undefined, limit: PER_PAGE }),
  ),
  'changes in a state that none has': ask(({ changed }) =>
    changed('payment', { filter: { states: ['withdrawn'] }, after: undefined, limit: PER_PAGE }),
  ),
  'statement of a day with 50,000 entries': {
    ask: ({ statement }) => statement('account-0', FIRST_DAY),
  },
  'summary of a month': ask(({ totals }) => totals('payment', {}, MONTH)),
  'summary of a month, small connection': ask(({ totals }) =>
    totals('payment', { connection: small }, MONTH),
  ),
  'summary of a year': ask(({ totals }) => totals('payment', {}, YEAR), YEAR_LIMIT_MS),
};
