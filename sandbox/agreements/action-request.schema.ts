// The bodies of POST A/suspension, A/cancellation and A/reactivation (facts 7.4).
import { z } from 'zod';
import { SIMULATIONS } from './agreement-action.schema.js';
import { REASON_WORDS } from './reasons.js';
import { asciiText, sandboxScript } from '../http/wire.schema.js';

export const Narrative = asciiText(256);

/** Both are shown in every sample and nowhere said to be optional. */
export const SuspensionRequest = z.strictObject({
  reason: z.enum(REASON_WORDS.suspension),
  narrative: Narrative,
  sandbox: sandboxScript(z.enum(SIMULATIONS.suspension.documented)).optional(),
});

export const CancellationRequest = z.strictObject({
  reason: z.enum(REASON_WORDS.cancellation),
  narrative: Narrative,
  sandbox: sandboxScript(z.enum(SIMULATIONS.cancellation.documented)).optional(),
});

export const ReactivationRequest = z.strictObject({
  sandbox: sandboxScript(z.enum(SIMULATIONS.reactivation.documented)).optional(),
});
