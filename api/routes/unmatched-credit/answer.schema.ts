// Responses for unmatched credits.
import { z } from 'zod';
import { CANDIDATE_REASONS, type CreditCandidate } from '../../../domain/float/candidates.js';
import { CREDIT_DECISIONS, CREDIT_STATES } from '../../../domain/float/credit.js';
import type { UnmatchedCreditView } from '../../../workflows/unmatched-credit/contract.js';
import { FOLLOWED, InstantSchema, followedOf, linksSchema } from '../../http/answer-parts.schema.js';
import { pathTo, recordedLinks, type TemporalUi } from '../links.js';
import { apiResource } from '../resource.js';
import type { Gateway } from '../../gateway/create.js';

const Debtor = z
  .object({
    party_name: z.string().nullable(),
    account_identifier: z.object({ type: z.string(), value: z.string() }).nullable(),
    reference: z.string().nullable(),
  })
  .meta({ id: 'CreditDebtor' });

export const CreditResolution = z
  .object({
    decision: z.enum(CREDIT_DECISIONS),
    payment: z.string().nullable().meta({ description: 'The uid of the payment that it pays.' }),
    agreement: z.string().nullable().meta({ description: 'The uid of the agreement that it pays.' }),
    reason: z.string(),
    by: z.string().meta({ description: 'The principal that decided.' }),
    at: InstantSchema,
  })
  .meta({ id: 'CreditResolution', description: 'The decision.' });

const fields = {
  uid: z.string().meta({ description: 'The id of the notification, or of the entry if none arrived.' }),
  float_account: z.string().meta({ description: 'The uid of the account that received it.' }),
  connection: z.string().nullable().meta({ description: 'Null until the entry confirms the credit.' }),
  state: z.enum(CREDIT_STATES).meta({
    description:
      '`unconfirmed`: only a notification names it; no entry of the account has confirmed it. `open`: it waits for a decision. `joined`: another case has its entry; decide that one.',
  }),
  state_since: InstantSchema,
  amount: z
    .int()
    .nullable()
    .meta({ description: 'In cents: of the entry, or as the notification reports it until then.' }),
  received_at: InstantSchema.nullable().meta({
    description: 'When the money arrived, by the provider’s clock.',
  }),
  description: z.string().nullable(),
  debtor: Debtor.nullable().meta({ description: 'From the notification. Null if it was lost.' }),
  authenticated: z.boolean().meta({
    description: 'Whether the notification certainly came from the provider. The entry decides in any case.',
  }),
  confirmed_at: InstantSchema.nullable().meta({
    description: 'When an entry confirmed it. Null until then.',
  }),
  entry: z.string().nullable().meta({
    description: 'The id of the entry in the float account. Null until it is confirmed.',
  }),
  joined_to: z.string().nullable().meta({
    description: 'The uid of the case that has its entry: decide that one. Null unless `state` is `joined`.',
  }),
  resolution: CreditResolution.nullable(),
  opened_at: InstantSchema.meta({ description: 'When the case began.' }),
  ...FOLLOWED,
  links: linksSchema({ resolution: z.string(), float_account: z.string() }),
};
const UnmatchedCredit = z.object(fields).meta({ id: 'UnmatchedCredit' });

const Candidate = z
  .object({
    kind: z.enum(['payment', 'agreement']),
    uid: z.string(),
    state: z.string(),
    amount: z.int().nullable().meta({ description: 'In cents.' }),
    reasons: z.array(z.enum(CANDIDATE_REASONS)).meta({
      description:
        '`uid`, `reference`: a text of the credit has it. `payer_account`: the payer of its agreement has this account. `amount`: the same amount. `time`: requested at most three days before or after.',
    }),
    link: z.string(),
  })
  .meta({ id: 'CreditCandidate' });
const Duplicate = z
  .object({
    kind: z.enum(['case', 'entry']).meta({
      description: '`case`: `uid` names another case. `entry`: it names an entry that has no case.',
    }),
    uid: z.string(),
  })
  .meta({ id: 'PossibleDuplicate' });
const WithCandidates = z
  .object({
    ...fields,
    candidates: z.array(Candidate).nullable().meta({
      description:
        'At most ten, best first. Proposals, never facts. Null while the credit is unconfirmed or the records are away.',
    }),
    possible_duplicates: z.array(Duplicate).nullable().meta({
      description:
        'Other cases and entries that perhaps are the same credit: of the same account and amount, at most a day apart, and with texts that do not differ. A person decides. Null if the records are away.',
    }),
  })
  .meta({ id: 'UnmatchedCreditWithCandidates' });

export const UnmatchedCreditDetailAnswer = z
  .object({ data: WithCandidates })
  .meta({ id: 'UnmatchedCreditDetailAnswer' });
export const unmatchedCreditAnswer = (
  ui: TemporalUi,
  view: UnmatchedCreditView,
): z.output<typeof UnmatchedCredit> => ({
  ...{ uid: view.uid, float_account: view.accountUid, connection: view.connectionId ?? null },
  ...{ state: view.state, state_since: view.stateSince, amount: view.amount ?? null },
  ...{ received_at: view.receivedAt ?? null, description: view.report?.description ?? null },
  debtor: debtorAnswer(view),
  ...{ authenticated: view.isAuthenticated, confirmed_at: view.confirmedAt ?? null },
  ...{ entry: view.entry?.id ?? null, joined_to: view.joined?.uid ?? null },
  resolution: resolutionAnswer(view),
  opened_at: view.requestedAt,
  ...followedOf(view),
  links: recordedLinks(ui, 'unmatched-credit', view.uid, {
    resolution: `${pathTo('unmatched-credit', view.uid)}/resolution`,
    float_account: pathTo('float-account', view.accountUid),
  }),
});

const debtorAnswer = ({ report }: UnmatchedCreditView): z.output<typeof Debtor> | null =>
  report === undefined
    ? null
    : {
        party_name: report.payerName ?? null,
        account_identifier:
          report.payerAccount === undefined ? null : { type: 'bban', value: report.payerAccount },
        reference: report.reference ?? null,
      };

const resolutionAnswer = ({ resolution }: UnmatchedCreditView): z.output<typeof CreditResolution> | null =>
  resolution === undefined
    ? null
    : {
        ...{ decision: resolution.decision, reason: resolution.reason, by: resolution.by, at: resolution.at },
        ...{ payment: resolution.paymentUid ?? null, agreement: resolution.agreementUid ?? null },
      };

export const candidateAnswer = ({
  kind,
  uid,
  state,
  amount,
  reasons,
}: CreditCandidate): z.output<typeof Candidate> => ({
  ...{ kind, uid, state, amount: amount ?? null, reasons, link: `/v1/${kind}s/${uid}` },
});

export const UNMATCHED_CREDIT = apiResource<{
  View: UnmatchedCreditView;
  Answer: z.output<typeof UnmatchedCredit>;
  Gateway: Gateway['unmatchedCredits'];
}>({
  name: 'unmatched-credit',
  tag: 'float accounts',
  gateway: ({ unmatchedCredits }) => unmatchedCredits,
  schema: UnmatchedCredit,
  answer: unmatchedCreditAnswer,
});
