// The body of POST A/simulate_debtor_action (facts 16). Strict for each action: a reactivation, as observed, has no reason.
import { z } from 'zod';
import { Narrative } from './action-request.schema.js';
import { DebtorChanges } from './party.schema.js';
import { REASON_WORDS } from './reasons.js';

export const SimulateDebtorAction = z.discriminatedUnion('debtor_action', [
  z.strictObject({
    debtor_action: z.literal('suspension'),
    reason: z.enum(REASON_WORDS.suspension).optional(),
    narrative: Narrative.optional(),
  }),
  z.strictObject({
    debtor_action: z.literal('cancellation'),
    reason: z.enum(REASON_WORDS.cancellation).optional(),
    narrative: Narrative.optional(),
  }),
  z.strictObject({ debtor_action: z.literal('reactivation') }),
  z.strictObject({
    debtor_action: z.literal('amendment'),
    changes: z.strictObject({ debtor: DebtorChanges }),
  }),
]);
export type SimulateDebtorAction = z.output<typeof SimulateDebtorAction>;
