// The OAuth `state`: sealed, so that it names its connection to nobody but us, and bound to one round of consent.
import { z } from 'zod';
import { authorizeUrl } from '../payments-api/authorize-url.js';
import type { AuthorizeOptions } from '../payments-api/authorize-url.js';
import { OAUTH_STATE_CONTEXT } from '../sealing/contexts.js';
import { SealError, open, seal } from '../sealing/keyring.js';
import type { Keyring } from '../sealing/keyring.js';
import type { ConsentRound } from '../workflows/connection.contract.js';

export type Authorisation = AuthorizeOptions;

const State = z.object({ connection: z.string(), round: z.int(), expiresAt: z.string() });
type State = z.output<typeof State>;

/** Where the merchant consents. Good once, until the round expires. */
export function consentUrl(
  keyring: Keyring,
  to: Authorisation,
  connection: string,
  round: ConsentRound,
): string {
  const state: State = { connection, ...round };
  return authorizeUrl(to, seal(keyring, JSON.stringify(state), OAUTH_STATE_CONTEXT));
}

/** What we sealed, if this is something that we sealed, and whether its time is over. */
export function openState(
  keyring: Keyring,
  sealed: string,
  nowMs: number,
): { state: State; isExpired: boolean } | undefined {
  try {
    const state = State.parse(JSON.parse(open(keyring, sealed, OAUTH_STATE_CONTEXT)));
    return { state, isExpired: nowMs > Date.parse(state.expiresAt) };
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
