// Stores a week of money through the writers of the product, as the provider's list, its reports and the workflows would.
import { startOfSydneyDay } from '../../../domain/time/sydney.js';
import { createFloatEntries } from '../../../records/float-entries.js';
import { createSettlementReports } from '../../../records/settlement.js';
import { createRecords } from '../../../records/write.js';
import { aPaymentBatch, aPaymentView } from '../a-batch.js';
import { aRefundView, anUnmatchedCreditView } from '../api/builders.js';
import type { SettlementRow } from '../../../domain/settlement/report.js';
import type { ResourceName } from '../../../domain/resources.js';
import type { Opened } from '../../../records/database.js';
import type { Case, Money, Week } from './a-week.js';

/** The ids of its connection, of a second one, and of its float account. */
export interface Books {
  connectionId: string;
  otherConnectionId: string;
  accountUid: string;
}

/** Half of the payments and refunds are stored before the entries that name them. @throws the errors of the database. */
export async function storeWeek(opened: Opened, books: Books, week: Week): Promise<void> {
  const float = createFloatEntries(opened);
  const account = { uid: books.accountUid, connectionId: books.connectionId, isNew: true };
  const half = week.money.length / 2;
  await Promise.all(week.money.slice(half).map((money) => storeMoney(opened, books, week, money)));
  await float.storeEntries(
    account,
    week.entries.filter(({ delivery }) => delivery === 'first'),
  );
  await Promise.all(week.cases.map((one) => storeCase(opened, books, one)));
  const listed = week.entries.filter(({ delivery }) => delivery !== 'lost');
  await float.storeEntries(account, listed);
  await float.storeEntries(account, listed.toReversed());
  await Promise.all(week.money.slice(0, half).map((money) => storeMoney(opened, books, week, money)));
  await float.matchEntries(account);
  await Promise.all(week.days.map((day, index) => storeReports(opened, books, day, week.reports[index])));
}

const storeRow = (
  opened: Opened,
  connectionId: string,
  { resource, uid, view }: { resource: ResourceName; uid: string; view: object },
) =>
  createRecords(opened).write({
    ...aPaymentBatch({ resource, uid, connectionId, entries: [] }),
    row: { version: 1, at: '2026-11-01T02:03:04.000Z', view },
  });

const storeMoney = (opened: Opened, books: Books, week: Week, money: Money) => {
  const { uid, resource, amount, at: stateSince, isSettled, isForeign } = money;
  const since = { stateSince, requestedAt: startOfSydneyDay(week.days[0] ?? '') };
  const ended = resource === 'payment' ? 'settled' : 'processed';
  const view = { ...since, state: isSettled ? ended : 'pending' };
  const refund_payment = { type: 'float_bank_payment', amount };
  return storeRow(opened, isForeign ? books.otherConnectionId : books.connectionId, {
    ...{ resource, uid },
    view:
      resource === 'payment'
        ? aPaymentView({ ...view, order: { agreement_uid: 'agr-1', amount } })
        : { ...aRefundView(), ...view, order: { original_payment_uid: 'pay-1', refund_payment } },
  });
};

const storeCase = (opened: Opened, books: Books, { entryId, decision, at, paymentUid }: Case) => {
  const resolution =
    decision === 'open'
      ? undefined
      : { decision, by: 'x', reason: 'x', at, ...(paymentUid && { paymentUid }) };
  const { accountUid, connectionId } = books;
  return storeRow(opened, connectionId, {
    ...{ resource: 'unmatched-credit', uid: entryId },
    view: anUnmatchedCreditView({ uid: entryId, accountUid, state: decision, stateSince: at, resolution }),
  });
};

async function storeReports(
  opened: Opened,
  { connectionId }: Books,
  day: string,
  versions: Week['reports'][number] | undefined,
): Promise<void> {
  const reports = createSettlementReports(opened);
  const store = (checksum: string, rows: SettlementRow[], at: string) =>
    reports.storeReport({
      ...{ connectionId, day, content: { csv: 'x' }, checksum, at },
      read: { state: 'stored', rows },
    });
  await store('first', versions?.first ?? [], '2027-05-01T00:00:00.000Z');
  await store('newest', versions?.newest ?? [], '2027-05-02T00:00:00.000Z');
}
