// Provides a valid access token for each call: cached, read or refreshed. Concurrent callers share one read and one refresh.
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import {
  connectionWorkflowId,
  ensureGeneration,
  getAccess,
  type AccessGrant,
} from '../../workflows/connection/contract.js';
import { isFinal, needsReauthorisation } from '../failure.js';
import { within } from '../attempts/within.js';
import { createTokenCache, type Token } from './cache.js';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { Keyring } from '../../sealing/keyring.js';

export type { Token } from './cache.js';

/** How long an activity waits for a newer token before Temporal retries it later. */
const REFRESH_WAIT_MS = 25_000;
/** How long a read of the current token may take. It normally takes milliseconds. */
const READING_MS = 10_000;

export interface TokenDependencies {
  temporal: Client;
  tokenKeys: Keyring;
  /** Epoch milliseconds. */
  now: () => number;
}

export interface Tokens {
  /** A token that is valid for some time. */
  current(connectionId: string): Promise<Token>;
  /** The connection's current token, read without the cache. */
  latest(connectionId: string): Promise<Token>;
  /** A token other than the one of this generation. All concurrent callers of this process share one request. */
  refreshed(connectionId: string, generation: number): Promise<Token>;
}

/** Provides the tokens of all connections. Each method fails with `needs_reauthorisation` if only a person's consent helps. */
export function createTokens({ temporal, tokenKeys, now }: TokenDependencies): Tokens {
  const { keep, miss, find } = createTokenCache(tokenKeys, now);
  const readings = new Map<string, Promise<Token>>();

  const readLatest = async (connectionId: string): Promise<Token> =>
    keep(connectionId, await reading(temporal, connectionId));

  const refreshed = createRefreshes({
    cached: (connectionId) => find(connectionId)?.token,
    readLatest,
    next: async (connectionId, after) =>
      keep(connectionId, await newerThan(after, temporal, connectionId, now()), after),
  });
  const confirmed = async (connectionId: string): Promise<Token> => {
    const found = find(connectionId);
    if (found?.isRecent === true || found?.isMissed === true) return found.token;
    return shared(readings, connectionId, () => readLatest(connectionId)).catch((error: unknown) => {
      // A connection that does not answer says nothing about the validity of its token.
      if (isFinal(error) || found === undefined) throw error;
      miss(connectionId);
      return found.token;
    });
  };
  const current = async (connectionId: string): Promise<Token> => {
    const token = await confirmed(connectionId);
    if (now() < token.refreshAtMs) return token;
    // A connection that does not answer a query cannot refresh a token either.
    if (find(connectionId)?.isMissed === true && now() < token.expiresAtMs) return token;
    return refreshed(connectionId, token.generation).catch((error: unknown) => {
      // If the refresh fails, calls continue with a token that is still valid.
      if (isFinal(error) || now() >= token.expiresAtMs) throw error;
      return token;
    });
  };
  return { current, latest: readLatest, refreshed };
}

/** Retryable: a later attempt may get an answer. */
const missing = (type: CallCode, message: string) => (): ApplicationFailure =>
  ApplicationFailure.create({ type, message });
const notRefreshed = missing(
  'token_not_refreshed',
  'the connection has no newer token yet; check its status',
);
const notRead = missing('token_not_read', 'the connection did not answer in time');

interface Sources {
  /** The token in this process's cache. */
  cached: (connectionId: string) => Token | undefined;
  readLatest: Tokens['latest'];
  /** Requests a token newer than this generation from the connection. */
  next: (connectionId: string, after: number) => Promise<Token>;
}

function createRefreshes({ cached, readLatest, next }: Sources): Tokens['refreshed'] {
  const refreshes = new Map<string, Promise<Token>>();
  const refresh = async (connectionId: string, spent: Spent): Promise<Token> => {
    const latest = await readLatest(connectionId);
    if (isAnother(latest, spent)) return latest;
    const refreshed = await next(connectionId, spent.generation);
    if (!isAnother(refreshed, spent)) throw notRefreshed();
    return refreshed;
  };
  const following = async (connectionId: string, spent: Spent): Promise<Token> => {
    const token = await shared(refreshes, connectionId, () => refresh(connectionId, spent));
    return isAnother(token, spent) ? token : following(connectionId, spent);
  };
  return (connectionId, generation) => {
    const found = cached(connectionId);
    return following(connectionId, found?.generation === generation ? found : { generation });
  };
}

/** A token that can no longer be used. Its value is present only if this process has cached it. */
type Spent = Pick<Token, 'generation'> & Partial<Token>;

/**
 * A new connection under the id of an ended one counts generations from one again. So its token may have a lower generation or the same
 * one.
 */
const isAnother = (token: Token, { generation, accessToken = token.accessToken }: Spent): boolean =>
  token.generation !== generation || token.accessToken !== accessToken;

/** Joins the work in progress, or starts it: concurrent callers share one execution. */
function shared<T>(running: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> {
  const found = running.get(key) ?? begin().finally(() => running.delete(key));
  running.set(key, found);
  return found;
}

/** @throws ApplicationFailure `token_not_read` if no answer arrives in time. The query may still be in progress. */
const reading = (temporal: Client, connectionId: string): Promise<AccessGrant> => {
  // The client applies its deadline to each call, but not to the pauses between its retries. The timer covers both.
  const requested = temporal.withDeadline(Date.now() + READING_MS, () =>
    ask(temporal, connectionId, (connection) => connection.query(getAccess)),
  );
  return within(requested, READING_MS, notRead);
};

const newerThan = (
  after: number,
  temporal: Client,
  connectionId: string,
  nowMs: number,
): Promise<AccessGrant> => {
  const updateId = updateIdOf(after, nowMs);
  const requested = ask(temporal, connectionId, (connection) =>
    connection.executeUpdate(ensureGeneration, { args: [{ after }], updateId }),
  );
  return within(requested, REFRESH_WAIT_MS, notRefreshed);
};

/** One update id per generation and time window. Otherwise many processes could use up the limit of open updates. */
const updateIdOf = (after: number, nowMs: number): string =>
  `refresh/${after}/${Math.floor(nowMs / REFRESH_WAIT_MS)}`;

async function ask<T>(
  temporal: Client,
  connectionId: string,
  question: (connection: WorkflowHandle) => Promise<T>,
): Promise<T> {
  try {
    return await question(temporal.workflow.getHandle(connectionWorkflowId(connectionId)));
  } catch (error) {
    throw error instanceof WorkflowNotFoundError ? needsReauthorisation(connectionId) : error;
  }
}
