// What an initiator may ask of an agreement that stands, and how the outcome is scripted. No behaviour here.
import { z } from 'zod';
import { DelaySeconds } from '../http/wire.schema.js';

/** Those of the initiator's actions that move the agreement itself. */
export const InitiatorAction = z.enum(['suspension', 'cancellation', 'reactivation']);
export type InitiatorAction = z.output<typeof InitiatorAction>;

/**
 * Names for `simulate` (docs/provider.md#provider-sandbox). The documented ones stand in the `sandbox` field of a request; ours are for the
 * control routes alone, for outcomes that the documents name but give no way to bring about.
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

/** How the next action of that kind on an agreement shall end; what the control routes take. */
export const ActionScript = z.discriminatedUnion('action', [
  scriptOf('suspension'),
  scriptOf('cancellation'),
  scriptOf('reactivation'),
  scriptOf('amendment'),
  scriptOf('recall'),
]);
export type ActionScript = z.output<typeof ActionScript>;

/** What the provider says of why: of a failure, and as the reason of a state. */
export const Explanation = z.object({ code: z.string(), title: z.string(), detail: z.string() });
export type Explanation = z.output<typeof Explanation>;

/** As events carry it: with the narrative of the actor. */
export const Reason = Explanation.extend({ narrative: z.string().nullable() });
export type Reason = z.output<typeof Reason>;

/** Accepted with 202, its outcome still to come. */
export const PendingAction = z.object({
  action: InitiatorAction,
  simulate: ActionSimulation,
  /** Null for a reactivation, which has none. */
  reason: Reason.nullable(),
});
export type PendingAction = z.output<typeof PendingAction>;
