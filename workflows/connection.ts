// One per OAuth grant: the only owner of its rotating tokens, which it holds sealed (design 5.1).
// In:  api/temporal.ts begins and completes consent; activities ask for a newer generation.
// Out: activities/exchange-code.ts, refresh-tokens.ts, wake-waiting.ts.
import { ApplicationFailure, condition, continueAsNew, setHandler, sleep } from '@temporalio/workflow';
import { callFailureOf } from './call-failure.js';
import { exchangeCode, refreshTokens, wakeWaiting } from './calls.js';
import {
  beginConsent, completeConsent, ensureGeneration, getAccess, getConnection, tokensRotated,
} from './connection.contract.js'; // prettier-ignore
import {
  CONSENT_MS, LATE_SUCCESS_MS, WAKE_AT_SECONDS, consentedGeneration, generationOf, newConnection, nextConnectionStep,
  withConsent, withFailedRefresh, withGrantLost, withNote, withTokens,
} from './connection-record.js'; // prettier-ignore
import { accessOf, connectionView, publishConnection } from './connection-words.js';
import { reconcile } from './reconcile.js';
import type { AccessGrant, ConnectionInput, ConnectionView, ConsentRound } from './connection.contract.js';
import type { ConnectionRecord, ConnectionStep } from './connection-record.js';
import type { Held } from './reconcile.js';

/** How long an update waits for a newer generation; who asks may ask again. */
const RENEWAL_MS = 20_000;

export async function connection(input: ConnectionInput): Promise<void> {
  let record = input.carried ?? newConnection(input.id, now());
  const held: Held<ConnectionRecord> = {
    read: () => record,
    change: (by) => void (record = by(record)),
  };

  setHandler(getConnection, () => connectionView(record));
  setHandler(getAccess, () => accessOf(record));
  setHandler(tokensRotated, (tokens) => held.change((known) => withTokens(known, tokens)));
  setHandler(beginConsent, () => openRound(held));
  setHandler(completeConsent, (answer) => consent(held, answer), {
    validator: ({ round }: { round: number }) => assertOpen(record, round),
  });
  setHandler(ensureGeneration, ({ after }) => generationBeyond(held, after));

  await reconcile<ConnectionRecord, ConnectionStep>({
    read: held.read,
    next: nextConnectionStep,
    publish: (known) => publishConnection(known, held.change, now()),
    idle: ['await_consent', 'rest'],
    run: (step) => carryOut(step, held),
    unbroken: 'refresh',
  });
  return continueAsNew<typeof connection>({ id: record.id, carried: record });
}

const now = (): string => new Date().toISOString();

function openRound({ read, change }: Held<ConnectionRecord>): ConsentRound {
  const round = read().consent.round + 1;
  const expiresAt = new Date(Date.now() + CONSENT_MS).toISOString();
  change((known) => ({ ...known, consent: { round, expiresAt, isUsed: false } }));
  return { round, expiresAt };
}

function assertOpen({ consent: open }: ConnectionRecord, round: number): void {
  if (open.round !== round || open.isUsed)
    throw refused('consent_round_unknown', 'Expected the newest consent link, not used before.');
  if (Date.now() > Date.parse(open.expiresAt))
    throw refused('consent_round_expired', 'Expected consent within ten minutes.');
}

async function consent(
  { read, change }: Held<ConnectionRecord>,
  { round, sealedCode }: { round: number; sealedCode: string },
): Promise<ConnectionView> {
  change((known) => ({ ...known, consent: { ...known.consent, isUsed: true } }));
  try {
    const generation = consentedGeneration(read());
    const tokens = await exchangeCode({ connectionId: read().id, round, generation, sealedCode });
    change((known) => withConsent(known, tokens));
  } catch (error) {
    const { code } = callFailureOf(error);
    change((known) => withNote(known, now(), code));
    throw refused(code, 'The authorisation server did not exchange the code. Begin again with a new link.');
  }
  return connectionView(read());
}

/**
 * Waits until there is a newer generation, or until it is plain that only a person can help. Not for ever: who asks
 * looks at what it gets, and an update that never ends would keep this run from ever handing over to the next.
 */
async function generationBeyond(
  { read, change }: Held<ConnectionRecord>,
  after: number,
): Promise<AccessGrant> {
  const isThere = (): boolean => read().status !== 'healthy' || generationOf(read()) > after;
  if (!isThere() && after > read().wantedBeyond) change((known) => ({ ...known, wantedBeyond: after }));
  if (!isThere()) await condition(isThere, RENEWAL_MS);
  return accessOf(read());
}

async function carryOut(step: ConnectionStep, held: Held<ConnectionRecord>): Promise<void> {
  switch (step.do) {
    case 'refresh':
      return refresh(held, step.generation);
    case 'pause':
      await sleep(Math.max(Date.parse(step.until) - Date.now(), 1), {
        summary: 'before the token is asked for again',
      });
      return held.change((known) => ({ ...known, retryAt: undefined }));
    case 'wake':
      for (const [index, seconds] of WAKE_AT_SECONDS.entries()) {
        if (index > 0)
          await sleep((seconds - (WAKE_AT_SECONDS[index - 1] ?? 0)) * 1000, {
            summary: 'before waking late-comers',
          });
        await wakeWaiting({ connectionId: held.read().id });
      }
      return held.change((known) => ({ ...known, isWakeDue: false }));
    case 'await_consent':
    case 'rest':
      return; // idle: reconcile begins none of these
  }
}

/** One attempt. A success has signalled its tokens before it returns, and returns them too. */
async function refresh({ read, change }: Held<ConnectionRecord>, generation: number): Promise<void> {
  const { id, tokens } = read();
  if (tokens === undefined) return;
  const isRenewed = (): boolean => generationOf(read()) > generation;
  try {
    const renewed = await refreshTokens({
      connectionId: id,
      generation,
      sealedRefresh: tokens.sealedRefresh,
    });
    change((known) => withTokens(known, renewed));
  } catch (error) {
    const { code } = callFailureOf(error);
    // A refused token may mean that an earlier attempt won and its success is still on its way to us.
    if (code === 'grant_refused' && !(await condition(isRenewed, LATE_SUCCESS_MS))) {
      return change((known) => withGrantLost(withNote(known, now(), code), now()));
    }
    if (!isRenewed()) change((known) => withFailedRefresh(known, now(), code));
  }
}

const refused = (code: string, detail: string): ApplicationFailure =>
  ApplicationFailure.create({ type: code, message: detail, nonRetryable: true });
