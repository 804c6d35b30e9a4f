// Attention flags in the state of a workflow. Plain JSON and pure.
import { raise, type Attention, type AttentionCode } from '../../domain/attention/flags.js';
import type { Instant } from '../../domain/facts/fact.js';

export interface Flagged {
  attention: Attention[];
}

/** Raises a flag. If it is already raised, its date and text stay. */
export const raiseFlag = <State extends Flagged>(
  state: State,
  code: AttentionCode,
  since: Instant,
  words: { detail: string; next: string },
): State => ({ ...state, attention: raise(state.attention, { code, since, ...words }) });

/** Raises a flag for a "Request Cancellation" of Temporal's UI. @param next the command that does what the person wanted. */
export const flagCancelRequest =
  (next: string) =>
  <State extends Flagged>(state: State, now: Instant): State =>
    raiseFlag(state, 'cancel_requested', now, {
      detail:
        'Someone requested cancellation in Temporal. The workflow continues, because without it the resource at the provider would be left unattended.',
      next,
    });
