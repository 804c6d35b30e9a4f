// Responses for payment plans, built from the view of the agreement workflow.
import { z } from 'zod';
import { present, presentShape } from '../../../domain/provider/answer.schema.js';
import { PLAN_STATES } from '../../../domain/agreement/plan.js';
import { PutPlan } from '../../../domain/agreement/plan.schema.js';
import { OrderAnswered, RetryPolicySchema } from '../../../domain/payment/request.schema.js';
import type { PlannedPayment } from '../../../domain/agreement/plan.js';
import type { PlanView } from '../../../workflows/agreement/contract.js';
import { InstantSchema } from '../../http/answer-parts.schema.js';

const Planned = z.object({
  date: z.string(),
  amount: z.int().meta({ description: 'Amount in cents.' }),
  last_payment: z.boolean().nullable(),
});
const Forbidden = z.object({ code: z.string(), detail: z.string() }).nullable();

const Order = OrderAnswered.omit({ amount: true, last_payment: true, agreement_uid: true });

const Plan = z
  .object({
    agreement: z.string(),
    state: z.enum(PLAN_STATES).meta({
      description: '`finished`: no date is left. `ended`: a caller has ended the plan.',
    }),
    since: InstantSchema,
    by: z.string().meta({ description: 'The principal that set the plan.' }),
    ended_at: InstantSchema.nullable(),
    ended_by: z.string().nullable().meta({ description: 'The principal that ended the plan.' }),
    schedule: PutPlan.shape.schedule,
    on_missed: PutPlan.shape.on_missed,
    retry: RetryPolicySchema.nullable(),
    ...presentShape(Order),
    upcoming: z.array(Planned.extend({ forbidden: Forbidden })).meta({
      description: 'The next ten dates. `forbidden` shows why the current terms would refuse a date.',
    }),
    owed: Planned.nullable().meta({
      description: 'A missed payment. It is taken as soon as possible, unless the next date is due by then.',
    }),
    log: z
      .array(Planned.extend({ at: InstantSchema, payment: z.string().nullable(), left_out: Forbidden }))
      .meta({
        description:
          'The latest twenty dates that were due, oldest first. `left_out` is why nothing was taken. If `payment` is set too, that payment was not sent, was refused, or failed in the grace period of a migrated agreement.',
      }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Plan' });
type Plan = z.output<typeof Plan>;

export const PlanAnswer = z.object({ data: Plan }).meta({ id: 'PlanAnswer' });

const plannedAnswer = ({ date, amount, last_payment: isLast }: PlannedPayment) => ({
  date,
  amount,
  last_payment: isLast ?? null,
});

export function planAnswer(plan: PlanView): Plan {
  const { schedule, onMissed, since, by, owed, log, ended, upcoming, warnings } = plan;
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
    retry: retry === undefined ? null : { attempts: retry.attempts, every_seconds: retry.everySeconds },
    ...present(Order, order),
    upcoming: upcoming.map(({ refusal, ...planned }) => ({
      ...plannedAnswer(planned),
      forbidden: refusal === undefined ? null : { code: refusal.code, detail: refusal.detail },
    })),
    owed: owed === undefined ? null : plannedAnswer(owed),
    log: log.map(({ at, uid: payment = null, reason = null, ...planned }) => ({
      ...plannedAnswer(planned),
      at,
      payment,
      left_out: reason,
    })),
    warnings,
  };
}
