// The lists of unmatched credits and float accounts.
import { FLOAT_ACCOUNT_STATES } from '../../../domain/float/account.js';
import { CREDIT_STATES } from '../../../domain/float/credit.js';
import type { FloatAccount, UnmatchedCreditPage } from '../answers.js';
import { pageOf } from '../places.js';
import { FlagsBeside, Foreign, Money, State, Table, Time, flagsOf } from '../parts.js';
import { listPages } from './list-page.js';

export const unmatchedCreditLists = listPages<UnmatchedCreditPage['data'][number]>({
  plural: 'unmatched-credits',
  title: 'Unmatched credits',
  operationIds: ['browseUnmatchedCredits', 'downloadUnmatchedCredits'],
  states: CREDIT_STATES,
  columns: [
    ['uid', ({ uid }) => uid],
    ['state', ({ state }) => state],
    ['state_since', ({ state_since: since }) => since],
    ['amount', ({ amount }) => amount],
    ['received_at', ({ received_at: at }) => at],
    ['float_account', ({ float_account: account }) => account],
    ['entry', ({ entry }) => entry],
    ['reference', ({ debtor }) => debtor?.reference],
    ['description', ({ description }) => description],
    ['payment', ({ resolution }) => resolution?.payment],
    ['agreement', ({ resolution }) => resolution?.agreement],
    ['decided_by', ({ resolution }) => resolution?.by],
    ['flags', flagsOf],
    ['connection', ({ connection }) => connection],
  ],
  intro: () => (
    <p>
      Credits to the float accounts that the provider could not match.{' '}
      <a href="?state=open">Those that wait</a> need a decision.
    </p>
  ),
  table: (credits) =>
    credits.length === 0 ? (
      <p>No unmatched credits.</p>
    ) : (
      <Table
        label="Unmatched credits"
        heads={['Credit', 'State', 'Amount', 'Received', 'Reference', 'Float account']}
        rows={credits.map(
          ({ uid, state, amount, received_at: at, debtor, description, attention, ...credit }) => [
            <a href={pageOf('unmatched-credit', uid)}>{uid}</a>,
            <>
              <State state={state} />
              <FlagsBeside attention={attention} />
            </>,
            <Money cents={amount} />,
            <Time at={at} />,
            <Foreign text={debtor?.reference ?? description} />,
            <a href={pageOf('float-account', credit.float_account)}>{credit.float_account}</a>,
          ],
        )}
      />
    ),
});

export const floatAccountLists = listPages<FloatAccount>({
  plural: 'float-accounts',
  title: 'Float accounts',
  operationIds: ['browseFloatAccounts', 'downloadFloatAccounts'],
  states: FLOAT_ACCOUNT_STATES,
  columns: [
    ['uid', ({ uid }) => uid],
    ['title', ({ title }) => title],
    ['state', ({ state }) => state],
    ['balance', ({ balance }) => balance],
    ['last_entry_at', ({ last_entry_at: at }) => at],
    ['entry_count', ({ entry_count: count }) => count],
    ['chain', ({ chain }) => chain],
    ['flags', flagsOf],
    ['connection', ({ connection }) => connection],
  ],
  table: (accounts) =>
    accounts.length === 0 ? (
      <p>No float accounts. A sweep finds those of each connection at the provider.</p>
    ) : (
      <Table
        label="Float accounts"
        heads={['Float account', 'State', 'Balance', 'Newest entry', 'Entries', 'Connection']}
        rows={accounts.map(({ uid, title, state, balance, last_entry_at: at, attention, ...account }) => [
          <a href={pageOf('float-account', uid)}>
            <bdi>{title ?? uid}</bdi>
          </a>,
          <>
            <State state={state} />
            <FlagsBeside attention={attention} />
          </>,
          <Money cents={balance} />,
          <Time at={at} />,
          String(account.entry_count),
          account.connection,
        ])}
      />
    ),
});
