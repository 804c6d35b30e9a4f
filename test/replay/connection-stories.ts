// The lives of connections.
import { ApplicationFailure } from '@temporalio/common';
import {
  beginConsentAs,
  completeConsent,
  ensureGeneration,
  getConnection,
  revokeConnection,
  tokensRotated,
} from '../../workflows/connection/contract.js';
import { eventually, fastForward } from '../support/temporal.js';
import { handedOver, isCancelRequested, onceFailing } from './lives.js';
import {
  consentTo,
  consented,
  exchangeCode,
  refreshTokens,
  startConnection,
  tokens,
  untilConnection,
} from '../support/workflows/connections.js';
import { failure } from '../support/workflows/provider.js';
import type { Temporal } from '../support/temporal.js';
import type { Stories, Story } from './story.js';

/** Asked to wait for so long, as the activity says it. */
const putOff = (type: 'rate_limited' | 'unavailable', seconds: number) =>
  ApplicationFailure.create({ type, details: [{ providerCodes: [], retryAfterMs: seconds * 1000 }] });

/** A renewal that is put off once, and made when the time is over. */
const putOffOnce = (type: 'rate_limited' | 'unavailable'): Story => ({
  activities: { exchangeCode, refreshTokens: onceFailing(putOff(type, 90), refreshTokens) },
  live: async (temporal) => {
    const handle = await consented(temporal);
    const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
    await untilConnection(handle, ({ lastFailure }) => lastFailure?.code === type);
    await fastForward(temporal.client, handle.workflowId, 95);
    await answer;
    await untilConnection(handle, ({ generation }) => generation === 2);
    return [handle];
  },
});

/** The code of the first consent is exchanged once that of the second has been handed in. */
function overlapping(): Story {
  let letGo = (): void => undefined;
  const isSecondHere = new Promise<void>((resolve) => (letGo = resolve));
  return {
    activities: {
      exchangeCode: async (args) => {
        if (args.sealedCode === 'second') letGo();
        else await isSecondHere;
        return exchangeCode(args);
      },
      refreshTokens,
    },
    live: async (temporal) => {
      const handle = await startConnection(temporal);
      const first = consentTo(handle, 'first');
      await eventually(
        () => handle.describe(),
        ({ raw }) => raw.pendingActivities?.length === 1,
      );
      await Promise.all([first, consentTo(handle, 'second')]);
      const { generation } = await handle.query(getConnection);
      await handle.executeUpdate(ensureGeneration, { args: [{ after: generation }] });
      return [handle];
    },
  };
}

/** Consented to again while what was blocked before the first consent is still being resumed. */
function resumedTwice(): Story {
  const walks: (string | undefined)[] = [];
  const walked = (count: number) =>
    eventually(
      () => Promise.resolve(walks.length),
      (seen) => seen >= count,
    );
  return {
    activities: { exchangeCode, resumeBlocked: ({ since }) => Promise.resolve(walks.push(since)) },
    live: async (temporal) => {
      const handle = await consented(temporal);
      await walked(1);
      await consentTo(handle);
      await eventually(
        () => Promise.resolve(walks.filter((since) => since === undefined).length),
        (firsts) => firsts === 2,
      );
      const before = walks.length;
      await fastForward(temporal.client, handle.workflowId, 130);
      await walked(before + 3);
      return [handle];
    },
  };
}

/** A connection whose renewal was asked for, has failed, and is flagged for it. */
async function flagged(temporal: Temporal) {
  const handle = await consented(temporal);
  const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
  await untilConnection(handle, ({ attention }) => attention.length > 0);
  return { handle, answer };
}

export const CONNECTION_STORIES: Stories = {
  'connection-rotated': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('unavailable')) },
    live: async (temporal) => {
      const handle = await consented(temporal);
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await handle.signal(tokensRotated, tokens(2));
      await answer;
      return [handle];
    },
  },
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
      await handle.signal(tokensRotated, tokens(2));
      await answer;
      return [handle];
    },
  },
  'connection-with-a-wrong-secret': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('client_refused')) },
    live: async (temporal) => {
      const { handle, answer } = await flagged(temporal);
      await fastForward(temporal.client, handle.workflowId, 60);
      await answer;
      return [handle];
    },
  },
  'connection-revoked': {
    activities: { exchangeCode },
    live: async (temporal) => {
      const handle = await consented(temporal);
      await handle.executeUpdate(revokeConnection, { args: [{ by: 'ops', reason: 'A story.' }] });
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await handle.signal(tokensRotated, tokens(2));
      await consentTo(handle);
      return [handle];
    },
  },
  'connection-put-off-by-429': putOffOnce('rate_limited'),
  'connection-put-off-by-503': putOffOnce('unavailable'),
  'connection-with-overlapping-consents': overlapping(),
  'connection-consented-to-again-while-resuming': resumedTwice(),
  'connection-signalled-a-pair-of-another-life': {
    activities: { exchangeCode, refreshTokens },
    live: async (temporal) => {
      const handle = await consented(temporal);
      await handle.signal(tokensRotated, { ...tokens(2), life: '2020-01-01T00:00:00.000Z' });
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      return [handle];
    },
  },
  'connection-asked-twice-for-one-link': {
    activities: { exchangeCode },
    live: async (temporal) => {
      const handle = await startConnection(temporal);
      const ask = () => handle.executeUpdate(beginConsentAs, { args: [{ key: 'a-key' }] });
      await ask();
      const round = await ask();
      await handle.executeUpdate(completeConsent, { args: [{ ...round, sealedCode: 'sealed' }] });
      return [handle];
    },
  },
  'connection-asked-for-a-generation-of-another-life': {
    activities: { exchangeCode, refreshTokens },
    live: async (temporal) => {
      const handle = await consented(temporal);
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 101 }] });
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      return [handle];
    },
  },
  'connection-that-temporal-was-asked-to-cancel': {
    activities: { exchangeCode, refreshTokens },
    live: async (temporal) => {
      const handle = await consented(temporal);
      await handle.cancel();
      await untilConnection(handle, isCancelRequested);
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
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
  'connection-continued-as-new-while-consent-was-awaited': {
    activities: { exchangeCode },
    live: async (temporal) => {
      const handle = await startConnection(temporal);
      const link = await handle.executeUpdate(beginConsentAs, { args: [{ key: 'a-key' }] });
      const [first, newest] = await handedOver(temporal, handle);
      await newest.executeUpdate(completeConsent, { args: [{ ...link, sealedCode: 'sealed' }] });
      return [first, newest];
    },
  },
};
