// What may be sent to a connection, and what it changes.
import { updateState } from '../entity/engine/handlers.js';
import { assertOpen, generationBeyond, openRound, takeConsent } from './consent.js';
import { withRevocation, withRotated } from './state.js';
import { accessOf, viewOf } from './view.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  tokensRotated: updateState(withRotated),
  beginConsent: { handle: openRound },
  completeConsent: { validate: assertOpen, handle: takeConsent },
  revokeConnection: {
    handle: ({ read, update }, { now }, revocation) => {
      update((state) => withRevocation(state, now(), revocation));
      return viewOf(read());
    },
  },
  ensureGeneration: { handle: generationBeyond },
  getAccess: { read: accessOf },
  getConnection: { read: viewOf },
};
