import { ensureGeneration, revokeConnection, tokensRefreshed } from '../../workflows/connection/contract.js';
import { fastForward, type Temporal } from '../support/temporal.js';
import { handedOver } from './lives.js';
import {
  consentTo,
  consented,
  exchangeCode,
  refreshTokens,
  tokens,
  untilConnection,
} from '../support/workflows/connections.js';
import { failure } from '../support/workflows/provider.js';
import type { Scripts } from './script.js';

async function flagged(temporal: Temporal) {
  const handle = await consented(temporal);
  const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
  await untilConnection(handle, ({ attention }) => attention.length > 0);
  return { handle, answer };
}

export const CONNECTION_SCRIPTS: Scripts = {
  'connection-lost': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('grant_refused')) },
    live: async (temporal) => {
      const handle = await consented(temporal);
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await fastForward(temporal.client, handle.workflowId, 200);
      await answer;
      await untilConnection(handle, ({ status }) => status === 'needs_reauthorisation');
      return [handle];
    },
  },
  'connection-flagged-and-healed': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('grant_refused')) },
    live: async (temporal) => {
      const { handle, answer } = await flagged(temporal);
      await handle.signal(tokensRefreshed, tokens(2));
      await answer;
      return [handle];
    },
  },
  'connection-unconfirmed': {
    activities: {
      exchangeCode: ({ generation }) =>
        Promise.resolve({ ...tokens(generation), checkFailed: 'unavailable' }),
      checkAccount: () => Promise.resolve({ is: 'shown', account: 'acc-1' }),
    },
    live: async (temporal) => {
      const handle = await consented(temporal);
      await untilConnection(handle, ({ status }) => status === 'healthy');
      return [handle];
    },
  },
  'connection-revoked': {
    activities: { exchangeCode },
    live: async (temporal) => {
      const handle = await consented(temporal);
      await handle.executeUpdate(revokeConnection, { args: [{ by: 'ops', reason: 'A script.' }] });
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await handle.signal(tokensRefreshed, tokens(2));
      await consentTo(handle);
      return [handle];
    },
  },
  'connection-continued-as-new': {
    activities: { exchangeCode, refreshTokens },
    live: async (temporal) => {
      const [first, newest] = await handedOver(temporal, await consented(temporal));
      await newest.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      return [first, newest];
    },
  },
};
