// What the API answers of how a payment's agreement stood when it allowed the payment.
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
    attempt: z.int(),
    from_submission: z.int().meta({
      description: 'It allowed this submission, counted from 1, and those after it until the next judgement.',
    }),
    at: InstantSchema,
    agreement_state: z.enum(AGREEMENT_STATES),
    terms: JudgedTerms.meta({ description: 'Those that were set.' }),
  })
  .meta({ id: 'PaymentJudgement' });

export const PaymentJudgements = z.array(PaymentJudgement).meta({
  description:
    'How the agreement stood when it allowed the payment, and again after a wait. A retry is not judged anew: what allowed the payment last stands. Empty where it was found at the provider.',
});

export const judgementsAnswer = ({ judgements = [] }: PaymentView): z.output<typeof PaymentJudgements> =>
  judgements.map(({ attempt, submission, at, state, terms }) => ({
    attempt,
    from_submission: submission,
    at,
    agreement_state: state,
    terms,
  }));
