// A good access token for each call: remembered, asked for, or renewed, and each of these once for all who want it.
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { connectionWorkflowId, ensureGeneration, getAccess } from '../../workflows/connection/contract.js';
import { needsReauthorisation } from '../failure.js';
import { within } from '../attempts/within.js';
import { createTokenCache } from './cache.js';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { CallCode } from '../../domain/provider/call-codes.js';
import type { AccessGrant } from '../../workflows/connection/contract.js';
import type { Keyring } from '../../sealing/keyring.js';
import type { Token } from './cache.js';

export type { Token } from './cache.js';

/** How long an activity waits for a newer token before it lets Temporal try again later. */
const RENEWAL_MS = 25_000;
/** How long one waits for the answer which token stands; an answer takes milliseconds where Temporal and a worker are at home. */
const READING_MS = 10_000;

export interface TokenDependencies {
  temporal: Client;
  keyring: Keyring;
  /** Epoch milliseconds. */
  now: () => number;
}

export interface Tokens {
  /** A token that is good for a while yet. */
  current(connectionId: string): Promise<Token>;
  /** The token that stands at the connection now, whatever this process remembers. */
  latest(connectionId: string): Promise<Token>;
  /** Another than the token of this generation: however many calls find one spent at one instant, this process asks once. */
  beyond(connectionId: string, generation: number): Promise<Token>;
}

/** Tokens of every connection. Each way fails with `needs_reauthorisation` where only a person's consent helps. */
export function createTokens({ temporal, keyring, now }: TokenDependencies): Tokens {
  const { keep, miss, find } = createTokenCache(keyring, now);
  const readings = new Map<string, Promise<Token>>();

  const readLatest = async (connectionId: string): Promise<Token> =>
    keep(connectionId, await reading(temporal, connectionId));

  const beyond = createRenewals({
    cached: (connectionId) => find(connectionId)?.token,
    readLatest,
    next: async (connectionId, after) =>
      keep(connectionId, await newerThan(after, temporal, connectionId, now()), after),
  });
  const confirmed = async (connectionId: string): Promise<Token> => {
    const found = find(connectionId);
    if (found?.isRecent === true || found?.isMissed === true) return found.token;
    return shared(readings, connectionId, () => readLatest(connectionId)).catch((error: unknown) => {
      // That its connection cannot be asked just now says nothing against a token.
      if (isFinal(error) || found === undefined) throw error;
      miss(connectionId);
      return found.token;
    });
  };
  const current = async (connectionId: string): Promise<Token> => {
    const token = await confirmed(connectionId);
    if (now() < token.refreshAtMs) return token;
    // A connection that cannot be asked what stands cannot be asked for more either.
    if (find(connectionId)?.isMissed === true && now() < token.expiresAtMs) return token;
    return beyond(connectionId, token.generation).catch((error: unknown) => {
      // A renewal in trouble need not stop those whose token still has some life left.
      if (isFinal(error) || now() >= token.expiresAtMs) throw error;
      return token;
    });
  };
  return { current, latest: readLatest, beyond };
}

interface Sources {
  /** What this process remembers. */
  cached: (connectionId: string) => Token | undefined;
  readLatest: Tokens['latest'];
  /** What stands once the connection has been asked for more than this generation. */
  next: (connectionId: string, after: number) => Promise<Token>;
}

function createRenewals({ cached, readLatest, next }: Sources): Tokens['beyond'] {
  const renewals = new Map<string, Promise<Token>>();
  const renew = async (connectionId: string, spent: Spent): Promise<Token> => {
    const latest = await readLatest(connectionId);
    if (isAnother(latest, spent)) return latest;
    const renewed = await next(connectionId, spent.generation);
    if (!isAnother(renewed, spent)) throw notRenewed();
    return renewed;
  };
  const following = async (connectionId: string, spent: Spent): Promise<Token> => {
    const token = await shared(renewals, connectionId, () => renew(connectionId, spent));
    return isAnother(token, spent) ? token : following(connectionId, spent);
  };
  return (connectionId, generation) => {
    const found = cached(connectionId);
    return following(connectionId, found?.generation === generation ? found : { generation });
  };
}

/** A token that is good no more; itself only where this process remembers it. */
type Spent = Pick<Token, 'generation'> & Partial<Token>;

/**
 * A connection that has ended and was begun again under its id counts from one anew: what it has now may be of a lower
 * generation, or of the same.
 */
const isAnother = (token: Token, { generation, accessToken = token.accessToken }: Spent): boolean =>
  token.generation !== generation || token.accessToken !== accessToken;

/** What is under way already, or else begun now: however many want it at one instant, it is done once. */
function shared<T>(running: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> {
  const found = running.get(key) ?? begin().finally(() => running.delete(key));
  running.set(key, found);
  return found;
}

/** @throws ApplicationFailure `token_not_read` where no answer comes in time: what was asked may still be on its way. */
const reading = (temporal: Client, connectionId: string): Promise<AccessGrant> => {
  // The client heeds its deadline only while it calls, and not while it waits to call again: the timer does both.
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
  const options = { args: argsOf(after), updateId: updateIdOf(after, nowMs) };
  const requested = ask(temporal, connectionId, (connection) =>
    connection.executeUpdate(ensureGeneration, options),
  );
  return within(requested, RENEWAL_MS, notRenewed);
};

const argsOf = (after: number): [{ after: number }] => [{ after }];

/** One update for each generation and while, so that many processes that ask do not use up the few that may be open. */
const updateIdOf = (after: number, nowMs: number): string =>
  `beyond/${after}/${Math.floor(nowMs / RENEWAL_MS)}`;

const isFinal = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.nonRetryable === true;

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

/** Another attempt may find one. */
const notRenewed = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'token_not_renewed' satisfies CallCode,
    message: 'no newer token yet; see the connection',
  });

const notRead = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'token_not_read' satisfies CallCode,
    message: 'the connection did not answer in time',
  });
