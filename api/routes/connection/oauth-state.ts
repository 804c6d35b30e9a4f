// The OAuth `state`: sealed, so that it names its connection to us alone, and bound to one round of consent.
import { z } from 'zod';
import { authorizeUrl } from '../../../payments-api/authorize-url.js';
import type { AuthorizeOptions } from '../../../payments-api/authorize-url.js';
import { OAUTH_STATE_CONTEXT, codeContext, verifierContext } from '../../../sealing/contexts.js';
import { derive } from '../../../sealing/keyring.js';
import { seal } from '../../../sealing/keyring.js';
import { openValue, sealValue } from '../../http/sealed-value.js';
import type { Keyring } from '../../../sealing/keyring.js';
import type { ConsentAnswer, ConsentRound } from '../../../workflows/connection/contract.js';

export interface Authorisation extends AuthorizeOptions {
  /** Whether the server takes a challenge for the code (RFC 7636), which no document of the provider states. */
  pkce: 'off' | 'S256';
}

/** Whether the round is still open is not judged by this: our own clock may be wrong, the connection's is Temporal's. */
const State = z.object({
  connection: z.string(),
  round: z.int(),
  expiresAt: z.string(),
  /** The key that the verifier is derived from, where there is one. */
  verifierKey: z.string().optional(),
});
type State = z.output<typeof State>;

/** Where the merchant consents. Good once, until the round expires. */
export function consentUrl(
  keyring: Keyring,
  to: Authorisation,
  connection: string,
  round: ConsentRound,
): string {
  const verifierKey = to.pkce === 'S256' ? keyring[0].id : undefined;
  const state: State = { connection, ...round, verifierKey };
  return authorizeUrl(to, sealValue(keyring, state, OAUTH_STATE_CONTEXT), verifierOf(keyring, state));
}

/** The state that we gave to the authorisation server, if this is one. */
export const openState = (keyring: Keyring, sealed: string): State | undefined =>
  openValue(keyring, sealed, OAUTH_STATE_CONTEXT, State);

/** The code for its round and no other, with the verifier that its link was made with. */
export function consentAnswer(keyring: Keyring, state: State, code: string): ConsentAnswer {
  const { connection, round, expiresAt } = state;
  const sealed = (text: string): string => seal(keyring, text, codeContext(connection, round));
  const verifier = verifierOf(keyring, state);
  return {
    round,
    expiresAt,
    sealedCode: sealed(code),
    sealedVerifier: verifier === undefined ? undefined : sealed(verifier),
  };
}

/** Derived when the link is made and again when the code comes back, so that it is kept nowhere meanwhile. */
const verifierOf = (keyring: Keyring, state: State): string | undefined =>
  state.verifierKey === undefined
    ? undefined
    : derive(keyring, state.verifierKey, verifierContext(state.connection, state)).toString('base64url');
