// The state of the agreement when it allowed a payment.
import { z } from 'zod';
import { AGREEMENT_STATES } from '../../../domain/agreement/events.js';
import type { PaymentView } from '../../../workflows/payment/contract.js';
import { InstantSchema } from '../../http/answer-parts.schema.js';

const JudgedTerms = z
  .object({
    type: z.string().optional(),
    frequency: z.string().optional(),
    count: z.int().optional(),
    amount: z.int().optional(),
    max_amount: z.int().optional(),
    first_payment_amount: z.int().optional(),
    last_payment_amount: z.int().optional(),
    first_payment_date: z.string().optional(),
    last_payment_date: z.string().optional(),
    validity_start_date: z.string().optional(),
    validity_end_date: z.string().optional(),
  })
  .meta({ id: 'JudgedTerms' });

const PaymentJudgement = z
  .object({
    attempt: z.int().meta({ description: 'The attempt that it allowed. The first submission is 1.' }),
    from_submission: z.int().meta({
      description:
        'The first submission, counted from 1, that this judgement allowed. It applies until the next judgement.',
    }),
    at: InstantSchema,
    agreement_state: z.enum(AGREEMENT_STATES),
    terms: JudgedTerms.meta({ description: 'The terms that were set.' }),
  })
  .meta({ id: 'PaymentJudgement' });

export const PaymentJudgements = z.array(PaymentJudgement).meta({
  description:
    'The state of the agreement whenever it allowed the payment: at the request, and after each wait. A retry keeps the last judgement. Empty if the payment was found at the provider.',
});

export const judgementsAnswer = ({ judgements = [] }: PaymentView): z.output<typeof PaymentJudgements> =>
  judgements.map(({ attempt, submission, at, state, terms }) => ({
    attempt,
    from_submission: submission,
    at,
    agreement_state: state,
    terms,
  }));
