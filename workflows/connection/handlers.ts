// The handlers of a connection's messages.
import { updateState, type Handlers } from '../engine/handlers.js';
import * as consent from './consent.js';
import { applyRevocation, type ConnectionState } from './state.js';
import { applySignalledRefresh } from './unconfirmed.js';
import { accessOf, viewOf } from './view.js';
import type { messages } from './contract.js';

export const HANDLERS: Handlers<ConnectionState, typeof messages> = {
  tokensRefreshed: updateState(applySignalledRefresh),
  beginConsent: { validate: consent.validateRoundRequest, handle: consent.openRound },
  useTicket: { validate: consent.validateTicket, handle: consent.useTicket },
  completeConsent: { validate: consent.validateConsent, handle: consent.acceptConsent },
  confirmAccount: { validate: consent.validateConfirmation, handle: consent.confirmAccount },
  revokeConnection: {
    handle: ({ read, update }, { now }, revocation) => {
      update((state) => applyRevocation(state, now(), revocation));
      return viewOf(read());
    },
  },
  ensureGeneration: { handle: consent.ensureGeneration },
  getAccess: { read: accessOf },
  getConnection: { read: viewOf },
};
