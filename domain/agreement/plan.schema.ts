// What callers may say of a plan of payments.
import { z } from 'zod';
import { SPANS, isRecurring } from '../time/calendar.js';
import {
  CentsSchema,
  CreditorSchema,
  DateSchema,
  MetadataSchema,
  PaymentDescription,
  text,
} from './mandate.schema.js';
import { MOST_PLANNED, ON_MISSED } from './plan.js';
import { RetryPolicySchema } from '../payment/request.schema.js';
import { PRIORITIES } from '../provider/lists.js';

const Planned = z.strictObject({
  date: DateSchema,
  amount: CentsSchema,
  last_payment: z
    .boolean()
    .optional()
    .meta({ description: 'Needed under balloon terms, and under no other.' }),
});

const Series = z.strictObject({
  every: z.enum(Object.keys(SPANS).filter(isRecurring)),
  from: DateSchema.meta({
    description:
      'The first date. Dates that a month does not have are on its last day; the later ones do not move by that.',
  }),
  until: DateSchema.optional().meta({ description: 'Left out: as long as the agreement’s terms allow.' }),
  amount: CentsSchema,
});

const Dates = z.strictObject({
  dates: z
    .array(Planned)
    .min(1)
    .max(MOST_PLANNED, `expected at most ${MOST_PLANNED} dates`)
    .superRefine((dates, c) => {
      const wrong = dates.findIndex(({ date }, index) => index > 0 && date <= (dates[index - 1]?.date ?? ''));
      if (wrong > 0)
        c.addIssue({
          code: 'custom',
          path: [wrong, 'date'],
          message: 'expected a date after the one before it',
        });
    }),
});

export const PutPlan = z
  .strictObject({
    schedule: z.union([Series, Dates]),
    on_missed: z.enum(ON_MISSED).default('skip').meta({
      description:
        'What becomes of a date on which nothing could be taken, as the agreement was suspended, say: it is left out, or the newest such date is taken as soon as one can be; never more than one.',
    }),
    priority: z.enum(PRIORITIES).default('unattended'),
    reference: text(35).optional(),
    description: PaymentDescription.optional(),
    creditor_reference: text(35).optional(),
    creditor: CreditorSchema.optional(),
    metadata: MetadataSchema.optional(),
    retry: RetryPolicySchema.optional(),
  })
  .meta({ id: 'PutPlan' });
export type PutPlan = z.output<typeof PutPlan>;
