// Something that happens at a time on the sandbox's clock. Data, so that it survives a restart. No behaviour here.
import { z } from 'zod';
import { AGREEMENT_TASKS } from '../agreements/agreement.schema.js';
import { CLIENT_TASKS } from '../clients/client.schema.js';
import { PAYMENT_TASKS } from '../payments/payment.schema.js';
import { REFUND_TASKS } from '../refunds/refund.schema.js';
import { WEBHOOK_TASKS } from '../webhooks/webhook.schema.js';

export const Task = z.object({
  due_at: z.number(),
  kind: z.enum([...AGREEMENT_TASKS, ...PAYMENT_TASKS, ...REFUND_TASKS, ...CLIENT_TASKS, ...WEBHOOK_TASKS]),
  uid: z.string(),
});
export type Task = z.output<typeof Task>;
export type TaskKind = Task['kind'];
