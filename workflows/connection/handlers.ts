// The handlers of a connection's messages.
import { updateState } from '../entity/engine/handlers.js';
import { validateConsent, generationBeyond, openRound, acceptConsent } from './consent.js';
import { recordRevocation } from './state.js';
import { recordRotation } from './unconfirmed.js';
import { accessOf, viewOf } from './view.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { ConnectionState } from './state.js';

export const HANDLERS: Handlers<ConnectionState, typeof messages> = {
  tokensRotated: updateState(recordRotation),
  beginConsent: { handle: openRound },
  completeConsent: { validate: validateConsent, handle: acceptConsent },
  revokeConnection: {
    handle: ({ read, update }, { now }, revocation) => {
      update((state) => recordRevocation(state, now(), revocation));
      return viewOf(read());
    },
  },
  ensureGeneration: { handle: generationBeyond },
  getAccess: { read: accessOf },
  getConnection: { read: viewOf },
};
