// Responses for payment plans, built from the view of the agreement workflow.
import { z } from 'zod';
import { present, presentShape } from '../../../domain/provider/answer.schema.js';
import { PLAN_STATES, type DuePayment, type PlannedPayment } from '../../../domain/agreement/plan.js';
import { PutPlan } from '../../../domain/agreement/plan.schema.js';
import { OrderAnswered, RetryPolicySchema } from '../../../domain/payment/request.schema.js';
import { nextBusinessDay } from '../../../domain/time/business-days.js';
import type { PlanView } from '../../../workflows/agreement/contract.js';
import { InstantSchema, NextBusinessDaySchema } from '../../http/answer-parts.schema.js';

const Planned = z.object({
  date: z.string().meta({ format: 'date', description: 'The planned day in Sydney.' }),
  amount: z.int().meta({ description: 'Amount in cents.' }),
  last_payment: z.boolean().nullable().meta({
    description: 'Whether it is the last payment, under balloon terms. Null under other terms.',
  }),
});
const Forbidden = z.object({ code: z.string(), detail: z.string() }).nullable();

/** A planned payment with its day. */
const Due = Planned.extend({
  taken_on: z.string().nullable().meta({
    format: 'date',
    description: 'The business day that replaces the date, by `on_holiday`. Null: the date.',
  }),
  not_moved: Forbidden.meta({
    description:
      'Why the payment stays on a date that is no business day, although `on_holiday` would move it.',
  }),
});

const Order = OrderAnswered.omit({ amount: true, last_payment: true, agreement_uid: true });

const Plan = z
  .object({
    agreement: z.string(),
    state: z.enum(PLAN_STATES).meta({
      description:
        '`active`: a date is left or owed. `finished`: no date is left. `ended`: a caller has ended the plan.',
    }),
    since: InstantSchema.meta({ description: 'When the plan was set.' }),
    by: z.string().meta({ description: 'The principal that set the plan.' }),
    ended_at: InstantSchema.nullable().meta({ description: 'When a caller ended it. Null otherwise.' }),
    ended_by: z
      .string()
      .nullable()
      .meta({ description: 'The principal that ended the plan. Null if no caller has ended it.' }),
    schedule: PutPlan.shape.schedule,
    on_missed: PutPlan.shape.on_missed,
    on_holiday: PutPlan.shape.on_holiday,
    retry: RetryPolicySchema.nullable(),
    ...presentShape(Order),
    upcoming: z.array(Due.extend({ next_business_day: NextBusinessDaySchema, forbidden: Forbidden })).meta({
      description:
        'Shows the next ten dates. `forbidden` is why the current terms would refuse a date, and null if they allow it.',
    }),
    owed: Planned.nullable().meta({
      description: 'A missed payment. It is taken as soon as possible, unless the next date is due by then.',
    }),
    log: z
      .array(Due.extend({ at: InstantSchema, payment: z.string().nullable(), left_out: Forbidden }))
      .meta({
        description:
          'The latest twenty dates that were due, oldest first. `left_out` is why nothing was taken. If `payment` is set too, that payment was not sent, was refused, or failed in the grace period of a migrated agreement.',
      }),
    warnings: z
      .array(z.string())
      .meta({ description: 'What you should check about this plan, as sentences for a person.' }),
  })
  .meta({ id: 'Plan' });
type Plan = z.output<typeof Plan>;

export const PlanAnswer = z.object({ data: Plan }).meta({ id: 'PlanAnswer' });

const plannedAnswer = ({ date, amount, last_payment: isLast }: PlannedPayment) => ({
  date,
  amount,
  last_payment: isLast ?? null,
});

const dueAnswer = ({ takenOn, notMoved, ...planned }: DuePayment) => ({
  ...plannedAnswer(planned),
  taken_on: takenOn ?? null,
  not_moved: notMoved ?? null,
});

export function planAnswer(plan: PlanView): Plan {
  const { schedule, onMissed, onHoliday, since, by, owed, log, ended, upcoming, warnings } = plan;
  const { retry } = plan.handling ?? {};
  const { agreement_uid: uid, ...order } = plan.order;
  const isOver = upcoming.length === 0 && owed === undefined;
  return {
    agreement: uid,
    state: ended !== undefined ? 'ended' : isOver ? 'finished' : 'active',
    since,
    by,
    ended_at: ended?.at ?? null,
    ended_by: ended?.by ?? null,
    schedule,
    on_missed: onMissed,
    on_holiday: onHoliday,
    retry: retry === undefined ? null : { attempts: retry.attempts, every_seconds: retry.everySeconds },
    ...present(Order, order),
    upcoming: upcoming.map(({ refusal, ...planned }) => ({
      ...dueAnswer(planned),
      next_business_day: nextBusinessDay(planned.date),
      forbidden: refusal === undefined ? null : { code: refusal.code, detail: refusal.detail },
    })),
    owed: owed === undefined ? null : plannedAnswer(owed),
    log: log.map(({ at, uid: payment = null, reason = null, ...planned }) => ({
      ...dueAnswer(planned),
      at,
      payment,
      left_out: reason,
    })),
    warnings,
  };
}
