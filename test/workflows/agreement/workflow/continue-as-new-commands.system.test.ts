import { randomUUID } from 'node:crypto';
import {
  ServiceError,
  WorkflowUpdateFailedError,
  isGrpcServiceError,
  type WorkflowHandle,
} from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { isUnanswered } from '../../../../delivery/unanswered.js';
import { AGREEMENT_LIFECYCLE } from '../../../../domain/agreement/lifecycle.js';
import { fold } from '../../../../domain/facts/fold.js';
import {
  agreementFact,
  getAgreement,
  lookUpNow,
  requestAction,
  requestPayment,
  type AgreementView,
} from '../../../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../../../workflows/payment/contract.js';
import { aFact } from '../../../support/facts.js';
import { sizeOf } from '../../../support/size.js';
import { eventually, useTemporal } from '../../../support/temporal.js';
import {
  anOrder,
  fetchedAgreement,
  fetchedPayment,
  only,
  refusalIn,
} from '../../../support/workflows/provider.js';
import { countIn, newestOf, runsOf, unknownTo, startAgreement } from '../../../support/workflows/runs.js';
import type { Activities } from '../../../../activities/index.js';
import type { ActionKind, ActionRequest } from '../../../../domain/agreement/action.js';
import type { Fact } from '../../../../domain/facts/fact.js';
import type { agreement, payment } from '../../../../workflows/index.js';

const temporal = useTemporal();
const EVENTS = sizeOf(450, 900);
const AT_ONCE = 30;
const ENOUGH = 2;

interface BusyProvider {
  activities: Activities;
  history: Fact[];
  effects: string[];
  submitted: string[];
  publish(type: string, causedBy?: string): Promise<Fact>;
  quiet(): Promise<void>;
}

const OUTCOMES: Readonly<Partial<Record<ActionKind, { type: string; state: string; wrongState: string }>>> = {
  suspension: { type: 'suspended', state: 'suspended', wrongState: 'ZPSUS00' },
  reactivation: { type: 'reactivated', state: 'active', wrongState: 'ZPREA00' },
};

const STILL = 'amendment_declined';

function busyProvider(newest: () => Pick<WorkflowHandle, 'signal'>): BusyProvider {
  const history: Fact[] = [];
  const effects: string[] = [];
  const submitted: string[] = [];
  const sending: Promise<unknown>[] = [];
  let state = 'active';
  const publish = async (type: string, causedBy?: string): Promise<Fact> => {
    const fact = aFact(type, { causedBy });
    history.push(fact);
    await newest().signal(agreementFact, fact);
    return fact;
  };
  const fetched = (uid: string) => {
    const recent = [...history.filter(({ type }) => type !== STILL), ...history.slice(-50)];
    return fetchedAgreement(
      uid,
      state,
      recent.map((fact) => ({ ...fact, source: 'history' as const })),
    );
  };
  const sendCommand: Activities['sendCommand'] = async ({ uid, command }) => {
    const outcome = OUTCOMES[command.kind];
    const { narrative = command.kind } = 'narrative' in command.body ? command.body : {};
    if (outcome === undefined) throw new Error(`expected a suspension or its end; found ${command.kind}`);
    if (state === outcome.state)
      return { outcome: 'out_of_place', fetched: fetched(uid), code: outcome.wrongState };
    effects.push(narrative);
    state = outcome.state;
    const published = publish(outcome.type, 'initiator');
    if (effects.length % 2 === 0) await published;
    else sending.push(published);
    return { outcome: 'accepted' };
  };
  const activities = only({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetched(uid)),
    sendCommand,
    submitPayment: ({ uid }) => {
      submitted.push(uid);
      return Promise.resolve(fetchedPayment(uid, 'settled'));
    },
  });
  const quiet = async (): Promise<void> => void (await Promise.all(sending));
  return { activities, history, effects, submitted, publish, quiet };
}

const FAILED_PRECONDITION = 9;
function isToBeRepeated(error: unknown): boolean {
  if (error instanceof WorkflowUpdateFailedError) return isUnanswered(error.cause);
  if (!(error instanceof ServiceError) || !isGrpcServiceError(error.cause)) return false;
  return Number(error.cause.code) === FAILED_PRECONDITION;
}

async function answered<T>(ask: () => Promise<T>): Promise<T | { refused: string }> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isToBeRepeated(error)) continue;
      const code = refusalIn(error);
      if (typeof code !== 'string') throw error;
      return { refused: code };
    }
  }
}

async function twice(ask: () => Promise<unknown>): Promise<'taken' | string[]> {
  const twins = await Promise.all([answered(ask), answered(ask)]);
  const refused = twins.filter(isRefused).map((twin) => twin.refused);
  expect(twins.filter(isNew).length).toBeLessThanOrEqual(1);
  return refused.length < twins.length ? 'taken' : refused;
}

const isRefused = (answer: unknown): answer is { refused: string } =>
  typeof answer === 'object' && answer !== null && 'refused' in answer;
const isNew = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'judged' in answer;

const command = (place: number): ActionRequest => {
  const key = `key-${String(place).padStart(3, '0')}`;
  if (place % 2 === 1) return { key, command: { kind: 'reactivation', body: {} } };
  return {
    key,
    command: { kind: 'suspension', body: { reason: 'initiating_party_requested', narrative: key } },
  };
};

interface Busy {
  uid: string;
  handle: () => WorkflowHandle<typeof agreement>;
  provider: BusyProvider;
  isOver: boolean;
  commanded: string[];
  admitted: string[];
  refused: string[];
}

const until = ({ handle }: Busy, isIt: (view: AgreementView) => boolean): Promise<AgreementView> =>
  eventually(() => handle().query(getAgreement), isIt);

async function sendEvents(busy: Busy): Promise<void> {
  const isEnough = (): boolean => Math.min(busy.commanded.length, busy.admitted.length) >= ENOUGH;
  for (let sent = 0; sent < EVENTS || !isEnough(); sent += AT_ONCE) {
    const places = Array.from({ length: AT_ONCE }, (_, place) => sent + place);
    const typeOf = (place: number): string => (place % 150 === 9 ? 'unheard of' : STILL);
    await Promise.all(places.map((place) => busy.provider.publish(typeOf(place))));
    await until(busy, ({ factCount }) => factCount > sent);
  }
  busy.isOver = true;
}

async function giveCommands(busy: Busy): Promise<void> {
  const ask = (request: ActionRequest) => busy.handle().executeUpdate(requestAction, { args: [request] });
  for (let place = 0; !busy.isOver; place += 1) {
    const request = command(place);
    expect(await twice(() => ask(request))).toBe('taken');
    busy.commanded.push(request.key);
    await until(busy, ({ pending }) => pending.length === 0);
    expect(await answered(() => busy.handle().executeUpdate(lookUpNow))).toBeUndefined();
    const earlier = command(Math.floor(place / 3));
    expect(await answered(() => ask(earlier))).toBeUndefined();
  }
}

async function askForPayments(busy: Busy): Promise<void> {
  const ask = (uid: string) =>
    busy.handle().executeUpdate(requestPayment, { args: [{ uid, order: anOrder(busy.uid) }] });
  while (!busy.isOver) {
    const uid = `pay-${randomUUID()}`;
    const answer = await twice(() => ask(uid));
    if (answer === 'taken') busy.admitted.push(uid);
    else busy.refused.push(...answer);
    const earlier = busy.admitted[Math.floor(busy.admitted.length / 3)];
    if (earlier !== undefined) expect(await answered(() => ask(earlier))).toMatchObject({ repeatOf: 'uid' });
  }
}

const paymentOf = (uid: string): WorkflowHandle<typeof payment> =>
  temporal.client.workflow.getHandle<typeof payment>(paymentWorkflowId(uid));

const sorted = (list: readonly string[]): string[] => [...list].sort();

describe('continue-as-new of a busy agreement', () => {
  test('processes every event, command and payment exactly once and answers every caller', async () => {
    const uid = `agr-${randomUUID()}`;
    const handle = () => newestOf(temporal.client, uid);
    const provider = busyProvider(handle);
    const busy: Busy = { uid, handle, provider, isOver: false, commanded: [], admitted: [], refused: [] };
    await temporal.run(provider.activities, async () => {
      const first = await startAgreement(temporal, { uid });
      const { runId } = await first.describe();
      await provider.publish('activated');
      await until(busy, ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing');
      await Promise.all(
        [sendEvents, giveCommands, askForPayments, askForPayments].map((stream) => stream(busy)),
      );
      await provider.quiet();

      const { state } = fold(AGREEMENT_LIFECYCLE, 'created', provider.history);
      await until(
        busy,
        ({ awaiting, pending, state: seen }) =>
          awaiting.what === 'nothing' && pending.length === 0 && seen === state,
      );
      await provider.publish('cancelled', 'debtor');
      const { state: carried } = (await first.result()).carried;
      const runs = await runsOf(temporal.client, uid, runId);
      expect(runs.length).toBeGreaterThanOrEqual(sizeOf(2, 3));
      expect(unknownTo(carried, provider.history)).toEqual([]);
      expect(countIn(carried)).toBe((carried.droppedHashes?.length ?? 0) + carried.facts.length);

      const { commanded, admitted, refused } = busy;
      expect(Math.min(commanded.length, admitted.length)).toBeGreaterThanOrEqual(ENOUGH);
      expect(carried.actions.map(({ key, stage }) => [key, stage])).toEqual(
        commanded.map((key) => [key, 'done']),
      );
      expect(provider.effects).toHaveLength(commanded.length);
      expect(sorted(carried.ledger.map((entry) => entry.uid))).toEqual(sorted(admitted));
      const unsent: string[] = [];
      for (const uid of admitted) {
        const { state, carried: left } = await paymentOf(uid).result();
        if (state !== 'settled') unsent.push(uid);
        expect([state, left.state.failure?.code]).toBeOneOf([
          ['settled', undefined],
          ['failed', 'agreement_not_active'],
        ]);
      }
      expect(sorted([...provider.submitted, ...unsent])).toEqual(sorted(admitted));
      expect(refused.filter((code) => !['agreement_not_active', 'agreement_held'].includes(code))).toEqual(
        [],
      );
    });
  });
});
