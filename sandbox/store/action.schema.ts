// The actions of the initiator on an agreement, and how their outcomes are scripted. Data only.
import { z } from 'zod';
import { DelaySeconds } from '../http/wire.schema.js';

/** The actions that change the agreement's own state. */
export const InitiatorAction = z.enum(['suspension', 'cancellation', 'reactivation']);
export type InitiatorAction = z.output<typeof InitiatorAction>;

/**
 * The values of `simulate` (docs/provider.md#provider-sandbox). Documented values are for the `sandbox` field of a request. Our own are
 * only for the control API: the documents name these outcomes but offer no way to trigger them.
 */
export const SIMULATIONS = {
  suspension: { documented: ['successful_suspension', 'agreement_cancelled'], ours: ['suspension_failed'] },
  cancellation: {
    documented: ['successful_cancellation', 'agreement_cancelled'],
    ours: ['cancellation_failed'],
  },
  reactivation: {
    documented: ['successful_reactivation', 'agreement_cancelled'],
    ours: ['reactivation_failed'],
  },
  amendment: {
    documented: [
      'debtor_accept',
      'debtor_decline',
      'agreement_cancelled',
      'expire',
      'creditor_alias_not_found',
      'alias_resolution_service_unavailable',
    ],
    ours: ['ignore', 'amendment_failed'],
  },
  recall: { documented: ['amendment_applied'], ours: ['successful_recall', 'recall_failed'] },
} as const;

export type ScriptedAction = keyof typeof SIMULATIONS;

export const ActionSimulation = z.enum(
  Object.values(SIMULATIONS).flatMap(({ documented, ours }) => [...documented, ...ours]),
);
export type ActionSimulation = z.output<typeof ActionSimulation>;

export const Script = z.object({ simulate: ActionSimulation, delay: DelaySeconds });
export type Script = z.output<typeof Script>;

function scriptOf<Action extends ScriptedAction>(action: Action) {
  const { documented, ours } = SIMULATIONS[action];
  return z.strictObject({
    action: z.literal(action),
    simulate: z.enum([...documented, ...ours]),
    delay: DelaySeconds.optional(),
  });
}

/** The script for the next action of this kind on an agreement, as sent to the control API. */
export const ActionScript = z.discriminatedUnion('action', [
  scriptOf('suspension'),
  scriptOf('cancellation'),
  scriptOf('reactivation'),
  scriptOf('amendment'),
  scriptOf('recall'),
]);
export type ActionScript = z.output<typeof ActionScript>;

/** The provider's reason for a failure or a state. */
export const Explanation = z.object({ code: z.string(), title: z.string(), detail: z.string() });
export type Explanation = z.output<typeof Explanation>;

/** A reason in an event, which includes the actor's narrative. */
export const Reason = Explanation.extend({ narrative: z.string().nullable() });
export type Reason = z.output<typeof Reason>;

/** An action that was accepted with 202 and has no outcome yet. */
export const PendingAction = z.object({
  action: InitiatorAction,
  simulate: ActionSimulation,
  /** Null for a reactivation. */
  reason: Reason.nullable(),
});
