// One per OAuth grant: the only owner of its rotating tokens, which it holds sealed (design 5.1).
// In:  api/temporal/door.ts begins, completes and revokes consent; activities ask for a newer generation.
// Out: connection-consent.ts and connection-refresh.ts, which call activities; activities/{wake-waiting,ensure-sweep}.ts.
import { continueAsNew, patched, setHandler, sleep } from '@temporalio/workflow';
import { ensureSweep, wakeWaiting } from '../entity/calls.js';
import { assertOpen, openRound, revoke, takeConsent } from './consent.js';
import {
  beginConsent, completeConsent, ensureGeneration, getAccess, getConnection, revokeConnection, tokensRotated,
} from './contract.js'; // prettier-ignore
import { withWakeOver } from './grant.js';
import {
  LATE_COMERS_MS,
  WAKE_AT_SECONDS,
  isOfAnotherLife,
  newConnection,
  nextConnectionStep,
  withRenewal,
} from './state.js';
import { generationBeyond, refresh } from './refresh.js';
import { accessOf, connectionView, publishConnection } from './view.js';
import { reconcile } from '../entity/loop.js';
import type { ConnectionInput, ConsentAnswer } from './contract.js';
import type { ConnectionRecord, ConnectionStep, SealedTokens } from './state.js';
import type { Held } from '../entity/loop.js';

export async function connection(input: ConnectionInput): Promise<void> {
  let record = input.carried ?? newConnection(input.id, now());
  const held: Held<ConnectionRecord> = {
    read: () => record,
    change: (by) => void (record = by(record)),
  };

  setHandler(getConnection, () => connectionView(record));
  setHandler(getAccess, () => accessOf(record));
  setHandler(tokensRotated, (tokens) => held.change((known) => withRotated(known, tokens)));
  setHandler(beginConsent, (asked?: { key: string }) => openRound(held, asked?.key));
  setHandler(completeConsent, (answer) => takeConsent(held, answer), {
    validator: (answer: ConsentAnswer) => assertOpen(record, answer),
  });
  setHandler(revokeConnection, (revocation) => revoke(held, revocation));
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
      // Both at once: a schedule that cannot be made as yet must keep nobody waiting who waits for consent.
      await Promise.all([patched('sweeps') && ensureSweep({ connectionId: held.read().id }), wake(held)]);
      return held.change((known) => withWakeOver(known, step.wakes));
    case 'await_consent':
    case 'rest':
      return; // idle: reconcile begins none of these
  }
}

/** Runs of before lives were told apart have taken pairs of any. */
const withRotated = (known: ConnectionRecord, tokens: SealedTokens): ConnectionRecord =>
  isOfAnotherLife(known, tokens) && patched('lives-told-apart') ? known : withRenewal(known, tokens);

async function wake({ read }: Held<ConnectionRecord>): Promise<void> {
  // Whoever waited long before has been told by the first; to be told again would cost each of thousands a turn.
  const since = new Date(Date.now() - LATE_COMERS_MS).toISOString();
  for (const [index, seconds] of WAKE_AT_SECONDS.entries()) {
    if (index > 0)
      await sleep((seconds - (WAKE_AT_SECONDS[index - 1] ?? 0)) * 1000, {
        summary: 'before waking late-comers',
      });
    await wakeWaiting({ connectionId: read().id, ...(index > 0 && { since }) });
  }
}
