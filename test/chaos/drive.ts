import { fastForward } from '../../cli/demo/skip-time.js';
import { sydneyDayOf, sydneyTime } from '../../domain/time/sydney.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { createBackend } from './backend.js';
import { payoutsOf, type Campaign, type Intent, type Refund } from './campaign.js';
import { inTurns } from './in-turns.js';
import { note, newTally, type Tally } from './judge.js';
import type { ChaosStack } from './stack.js';

const HOUR_MS = 60 * 60 * 1000;
const PLANNED_BY_MS = 10 * HOUR_MS + 60_000;
const AT_ONCE = 8;

export const dayOfPlans = (): string => sydneyDayOf(new Date(Date.now() + 24 * HOUR_MS).toISOString());

export interface Drive {
  tally: Tally;
  admitted: ReadonlySet<string>;
  open(): Promise<void>;
  askForAll(): Promise<void>;
  react(): void;
  underWay(): readonly string[];
}

export function createDrive(
  { api, provider, temporalAddress }: ChaosStack,
  campaign: Campaign,
  day: string,
): Drive {
  const backend = createBackend(api);
  const { agreements, payouts, intents } = campaign;
  const all = [...agreements, ...payouts];
  const byUid = new Map(intents.map((intent) => [intent.uid, intent]));
  const tally = newTally();
  const admitted = new Set<string>();
  const seen = new Set<string>();
  const pending = new Set<string>();
  let failure: Error | undefined;
  let seq = 0;

  const named = async <T>(name: string, work: Promise<T>): Promise<T> => {
    pending.add(name);
    return work.finally(() => pending.delete(name));
  };
  const begin = (name: string, work: Promise<unknown>): void => {
    named(name, work).catch((cause: unknown) => (failure ??= new Error(`${name} failed`, { cause })));
  };
  const skipMs = Date.parse(sydneyTime(day, PLANNED_BY_MS)) - Date.now();
  const ask = async (intent: Intent): Promise<void> => {
    const { uid, agreement } = intent;
    if (intent.askedBy === 'us') return named(`request for ${uid}`, backend.pay(intent));
    await named(`plan of ${agreement}`, backend.plan(intent, day));
    const skipped = fastForward(temporalAddress, agreementWorkflowId(agreement), Math.ceil(skipMs / 1000));
    await named(`clock skip of ${agreement}`, skipped);
  };
  const giveBack = async (payment: string, refund: Refund): Promise<void> => {
    if (!(await backend.refund(payment, refund))) return;
    for (const uid of [refund.uid, ...payoutsOf(refund)]) admitted.add(uid);
  };
  const reactTo = (intent: Intent, to: string): void => {
    const attempt = tally.taken.get(intent.uid) ?? 0;
    const change = `${intent.uid} ${to} ${attempt}`;
    if (seen.has(change)) return;
    seen.add(change);
    if (to === 'settled')
      for (const refund of intent.refunds) begin(`refund ${refund.uid}`, giveBack(intent.uid, refund));
    if (to !== 'failed') return;
    if (attempt >= intent.failures) provider.scriptPayment(intent.uid, { simulate: 'auto_settle' });
    if (intent.retriedBy === 'command')
      begin(`retry ${attempt} of ${intent.uid}`, backend.retry(intent.uid, attempt));
  };
  return {
    tally,
    admitted,
    open: () =>
      inTurns(AT_ONCE, all, (uid) => backend.createAgreement(uid, all.indexOf(uid), payouts.includes(uid))),
    askForAll: () => inTurns(AT_ONCE, byTurns(intents), ask),
    react: () => {
      for (const entry of provider.ledger(seq)) {
        seq = entry.seq;
        note(tally, entry);
        if (entry.kind !== 'change') continue;
        const intent = byUid.get(entry.resource_uid);
        if (intent !== undefined) reactTo(intent, entry.to);
      }
    },
    underWay: () => {
      if (failure !== undefined) throw failure;
      return [...pending];
    },
  };
}

const byTurns = (intents: readonly Intent[]): Intent[] => {
  const places = new Map<string, number>();
  const place = ({ agreement }: Intent): number => {
    const next = (places.get(agreement) ?? 0) + 1;
    places.set(agreement, next);
    return next;
  };
  return intents
    .map((intent) => ({ intent, turn: place(intent) }))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ intent }) => intent);
};
