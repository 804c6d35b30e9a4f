// Responses for float accounts and their entries.
import { z } from 'zod';
import { CREDIT_STATES } from '../../../domain/float/credit.js';
import { CHAIN_STATES, FLOAT_ACCOUNT_STATES } from '../../../domain/float/account.js';
import type { ChainBreak } from '../../../domain/float/chain.js';
import { isMatched, type StoredFloatEntry } from '../../../domain/float/entries.js';
import type { FloatAccountView } from '../../../workflows/float-account/contract.js';
import {
  FOLLOWED,
  InstantSchema,
  NextLink,
  followedOf,
  linksSchema,
} from '../../http/answer-parts.schema.js';
import { pathTo, recordedLinks, type TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';

const Cents = z.int().meta({ description: 'In cents: positive for a credit, negative for a debit.' });

export const FloatChainBreak = z
  .object({
    at: InstantSchema.meta({ description: 'When the entry `after` was made.' }),
    before: z.string().meta({ description: 'The id of the entry that left `expected`.' }),
    after: z.string().meta({ description: 'The id of the next entry, which starts at `found`.' }),
    expected: z.int().meta({ description: 'The balance that the first entry left, in cents.' }),
    found: z.int().meta({ description: 'The balance at which the next entry starts, in cents.' }),
  })
  .meta({ id: 'FloatChainBreak' });

const FloatAccountBreak = FloatChainBreak.extend({
  found_at: InstantSchema.meta({ description: 'When a worker found the break.' }),
  mended_at: InstantSchema.nullable().meta({
    description:
      'When a check no longer found it, because the missing entry was listed. Null if it is still there.',
  }),
}).meta({ id: 'FloatAccountBreak' });

const FloatAccount = z
  .object({
    uid: z.string().meta({ description: 'The provider’s id of the account.' }),
    connection: z.string(),
    state: z.enum(FLOAT_ACCOUNT_STATES).meta({
      description:
        '`reading`: the first reading of its entries has not ended. `blocked`: the connection has no consent or lacks the scope `bank_accounts`, or the provider no longer has the account.',
    }),
    state_since: InstantSchema,
    title: z.string().nullable().meta({ description: 'The name that the account has at the provider.' }),
    bank_name: z.string().nullable(),
    branch_code: z.string().nullable().meta({ description: 'The BSB: it names the bank and its branch.' }),
    account_number: z.string().nullable(),
    status: z
      .string()
      .nullable()
      .meta({ description: 'The status that the provider shows.', example: 'active' }),
    balance: z.int().nullable().meta({ description: 'The balance after the newest stored entry, in cents.' }),
    last_entry_at: InstantSchema.nullable().meta({ description: 'Null if no entry is stored.' }),
    entry_count: z.int().meta({ description: 'How many entries are stored.' }),
    unreadable_count: z.int().meta({
      description: 'Entries without an id, a time or an amount, which are not stored.',
    }),
    chain: z.enum(CHAIN_STATES).meta({
      description: '`broken`: an entry is missing at the provider, or was changed. See `chain_breaks`.',
    }),
    chain_since: InstantSchema.meta({ description: 'When the chain was last broken or became whole.' }),
    chain_breaks: z.array(FloatAccountBreak).meta({
      description: 'Entries that do not follow each other, newest last. At most 20.',
    }),
    reading: z
      .object({
        from: InstantSchema.nullable().meta({ description: 'Null: all entries that the provider lists.' }),
        since: InstantSchema,
      })
      .nullable()
      .meta({ description: 'A requested reading that has not ended.' }),
    acknowledgements: z
      .array(z.object({ by: z.string(), reason: z.string(), at: InstantSchema }))
      .meta({ description: 'Who has acknowledged a break, and why. At most 20, newest last.' }),
    followed_since: InstantSchema.meta({ description: 'When a sweep found the account.' }),
    ...FOLLOWED,
    links: linksSchema({ entries: z.string() }),
  })
  .meta({ id: 'FloatAccount' });
type FloatAccount = z.output<typeof FloatAccount>;

export const chainBreakAnswer = ({
  at,
  beforeId,
  afterId,
  expected,
  found,
}: ChainBreak): z.output<typeof FloatChainBreak> => ({
  ...{ at, before: beforeId, after: afterId, expected, found },
});

const floatAccountAnswer = (ui: TemporalUi, view: FloatAccountView): FloatAccount => ({
  ...{ uid: view.uid, connection: view.connectionId, state: view.state, state_since: view.stateSince },
  ...{ title: view.title ?? null, bank_name: view.bankName ?? null, branch_code: view.branchCode ?? null },
  ...{ account_number: view.accountNumber ?? null, status: view.status ?? null },
  ...{ balance: view.balance ?? null, last_entry_at: view.lastEntry?.at ?? null },
  ...{ entry_count: view.entryCount, unreadable_count: view.unreadableCount },
  ...{ chain: view.chain, chain_since: view.chainSince },
  chain_breaks: view.breaks.map((one) => ({
    ...chainBreakAnswer(one),
    ...{ found_at: one.foundAt, mended_at: one.mendedAt ?? null },
  })),
  reading: view.reading === undefined ? null : { from: view.reading.from ?? null, since: view.reading.since },
  acknowledgements: view.acknowledgements,
  followed_since: view.requestedAt,
  ...followedOf(view),
  links: recordedLinks(ui, 'float-account', view.uid, {
    entries: `${pathTo('float-account', view.uid)}/entries`,
  }),
});

export const FLOAT_ACCOUNT = apiResource<{
  View: FloatAccountView;
  Answer: FloatAccount;
  Gateway: Gateway['floatAccounts'];
}>({
  name: 'float-account',
  tag: 'float accounts',
  gateway: ({ floatAccounts }) => floatAccounts,
  schema: FloatAccount,
  answer: floatAccountAnswer,
});

export const FloatEntry = z
  .object({
    id: z.string().meta({ description: 'The id that the provider gave the entry.' }),
    at: InstantSchema.meta({ description: 'When it was made, by the provider’s clock.' }),
    amount: Cents,
    balance_after: z.int().meta({ description: 'The balance after this entry, in cents.' }),
    description: z.string().nullable().meta({
      description: 'The text that the payer or the provider wrote. It may contain personal data.',
    }),
    matched: z.boolean().meta({
      description: 'Whether a payment, a refund or the decision `matched` explains it.',
    }),
    payment: z.string().nullable().meta({
      description: 'The uid of the payment that the description names, if it has the same amount.',
    }),
    refund: z
      .string()
      .nullable()
      .meta({ description: 'The uid of the refund that the description names, if it has the same amount.' }),
    case: z.string().nullable().meta({
      description:
        'The uid of its case, GET /v1/unmatched-credits/{id}. It may differ from the id of the entry. Null if it has none.',
    }),
    case_state: z
      .enum(CREDIT_STATES)
      .nullable()
      .meta({ description: 'The state of its case. Null if it has none.' }),
  })
  .meta({ id: 'FloatEntry' });
export const FloatEntriesAnswer = z
  .object({ data: z.array(FloatEntry), links: NextLink })
  .meta({ id: 'FloatEntriesAnswer' });

export const floatEntryAnswer = (entry: StoredFloatEntry): z.output<typeof FloatEntry> => ({
  ...{ id: entry.id, at: entry.at, amount: entry.amount, balance_after: entry.balanceAfter },
  ...{ description: entry.description ?? null, matched: isMatched(entry) },
  ...{ payment: entry.paymentUid ?? null, refund: entry.refundUid ?? null },
  case: entry.caseUid ?? null,
  case_state: CREDIT_STATES.find((state) => state === entry.caseState) ?? null,
});
