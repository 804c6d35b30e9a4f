// The body of a payment plan.
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
import { MOST_PLANNED, ON_HOLIDAY, ON_MISSED } from './plan.js';
import { RetryPolicySchema } from '../payment/request.schema.js';
import { PRIORITIES } from '../provider/lists.js';

const Planned = z.strictObject({
  date: DateSchema,
  amount: CentsSchema,
  last_payment: z
    .boolean()
    .optional()
    .meta({ description: 'Required under balloon terms, and not allowed under other terms.' }),
});

const Series = z.strictObject({
  every: z
    .enum(Object.keys(SPANS).filter(isRecurring))
    .meta({ description: 'How often a payment is taken.' }),
  from: DateSchema.meta({
    description:
      'The first date. In a month that lacks this day, the payment is on the last day; later dates do not shift.',
  }),
  until: DateSchema.optional().meta({ description: 'Default: as long as the agreement’s terms allow.' }),
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
          message: 'expected a date later than the previous one',
        });
    }),
});

export const PutPlan = z
  .strictObject({
    schedule: z.union([Series, Dates]).meta({
      description: 'When to take payments: a series, or a list of up to 400 dates with their amounts.',
    }),
    on_missed: z.enum(ON_MISSED).default('skip').meta({
      description:
        'What to do about a date on which no payment could be taken, for example because the agreement was suspended. `skip`: leave it out. `catch_up_one`: take only the newest missed payment, as soon as possible.',
    }),
    on_holiday: z.enum(ON_HOLIDAY).default('same').meta({
      description:
        'What to do about a date on a weekend or a bank holiday of New South Wales. `before`, `after`: take the payment on the business day before or after, unless the terms forbid that day or another planned payment is nearer. `same`: take it on the date.',
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
