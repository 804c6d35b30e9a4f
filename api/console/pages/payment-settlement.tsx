// The money of a settled payment: the day of its settlement report, and its entry in a float account.
import { nextBusinessDay } from '../../../domain/time/business-days.js';
import { addDays } from '../../../domain/time/calendar.js';
import { startOfSydneyDay, sydneyDayOf } from '../../../domain/time/sydney.js';
import { pathOf, pathTo } from '../../routes/links.js';
import type { FloatAccountPage, FloatEntriesPage, Payment } from '../answers.js';
import { pageOf } from '../places.js';
import { dayInWords } from '../format.js';
import { Facts, Money, Time } from '../parts.js';
import type { Visit } from '../visit.js';

export interface FoundEntry {
  account: string;
  at: string;
  amount: number;
}

/** Its entry, if one from the day before its settlement until the day after names it. */
export async function floatEntryOf({ api }: Visit, payment: Payment): Promise<FoundEntry | undefined> {
  const { uid, state, state_since: since, amount, connection } = payment;
  if (state !== 'settled' || amount === null || connection == null) return undefined;
  const day = sydneyDayOf(since);
  const query = {
    ...{ from: startOfSydneyDay(addDays(day, -1)), until: startOfSydneyDay(addDays(day, 2)) },
    ...{ type: 'credit', amount_min: amount, amount_max: amount, per_page: 200 },
  };
  const accounts = await api.read<FloatAccountPage>(pathOf('/v1/float-accounts', { connection }));
  const found = await Promise.all(
    (accounts.answer?.data ?? []).map(async ({ uid: account }) => {
      const { answer } = await api.read<FloatEntriesPage>(
        pathOf(`${pathTo('float-account', account)}/entries`, query),
      );
      const entry = answer?.data.find((one) => one.payment === uid);
      return entry === undefined ? [] : [{ account, at: entry.at, amount: entry.amount }];
    }),
  );
  return found.flat()[0];
}

export function SettlementOf({ payment, entry }: { payment: Payment; entry: FoundEntry | undefined }) {
  const { state, state_since: since, connection } = payment;
  if (state !== 'settled') return null;
  const day = sydneyDayOf(since);
  return (
    <section aria-labelledby="settlement">
      <h2 id="settlement">Settlement</h2>
      <Facts
        rows={[
          [
            'Settled on',
            <>
              <a href={pathOf('/console/day', { day, connection: connection ?? undefined })}>
                {dayInWords(day)}
              </a>{' '}
              <small>The page of the day compares it with the report and lists its exception, if any.</small>
            </>,
          ],
          ['Report of the provider', `due on ${dayInWords(nextBusinessDay(day))}`],
          [
            'Entry in a float account',
            entry === undefined ? (
              'none within a day of the settlement'
            ) : (
              <>
                <Money cents={entry.amount} /> at <Time at={entry.at} /> in{' '}
                <a
                  href={`${pathOf(pageOf('float-account', entry.account), { day: sydneyDayOf(entry.at) })}#entries`}
                >
                  {entry.account}
                </a>
              </>
            ),
          ],
        ]}
      />
    </section>
  );
}
