import { applyCommand, validateCommand } from '../../../workflows/onboarding/commands.js';
import * as states from '../../../workflows/onboarding/state.js';
import { viewOf } from '../../../workflows/onboarding/view.js';
import { refusalIn, A_MANDATE, aClientOrder, aCounterpartyOrder, anOrder } from './provider.js';
import type { PartRequest } from '../../../activities/onboard/request.js';
import type { CommandKind, Parts, PartName } from '../../../domain/onboarding/steps.js';
import type { Reading } from '../../../domain/onboarding/reading.js';

export function someParts() {
  const { agreement_uid: _, ...order } = anOrder('agr-1');
  return {
    parts: {
      client: { uid: 'cli-1', order: aClientOrder(), above: [] },
      counterparty: { uid: 'cp-1', order: aCounterpartyOrder() },
      agreement: { uid: 'agr-1', mandate: A_MANDATE },
      payment: { uid: 'pay-1', order },
    },
  };
}

export const ALL_WELL: Readonly<Record<PartName, Reading>> = {
  client: { state: 'active', clientId: 'cl-1' },
  counterparty: { state: 'registered', accounts: aCounterpartyOrder().payment_accounts },
  agreement: { state: 'active' },
  payment: { state: 'settled', isSent: true },
};

const NOW = '2026-03-02T00:00:00.000Z';

export const say = (kind: CommandKind, parts?: Partial<Parts>, key: string = kind) => ({
  kind,
  reason: 'as agreed',
  by: 'key-1',
  use: { key, uid: 'onb-1', body: JSON.stringify(parts ?? {}) },
  parts,
});

export function aScene(at: Partial<Record<PartName, Reading>>, parts: Parts = someParts().parts) {
  const request = { id: 'onb-1', connectionId: 'acme', requested: {}, parts };
  let state = states.newOnboarding(request, NOW);
  const started: PartRequest[] = [];
  const run = (): void => {
    for (let part = states.partToStart(state); part !== undefined; part = states.partToStart(state)) {
      const requested = states.requestOf(state, part);
      started.push(requested);
      state = states.markStarted(state, part, requested.uid);
      const { [part]: reading } = at;
      if (reading !== undefined) state = states.applyReading(state, part, requested.uid, reading, NOW);
    }
    state = states.updateAwaiting(state, NOW);
  };
  run();
  return {
    at,
    started,
    view: () => viewOf(state),
    stored: () => state,
    report: (part: PartName, uid: string, reading: Reading) => {
      state = states.applyReading(state, part, uid, reading, NOW);
      run();
    },
    replaceClient: (uid: string) => {
      state = states.replaceClient(state, uid);
      run();
    },
    say: (command: ReturnType<typeof say>) => {
      validateCommand(state, command);
      state = applyCommand(state, command, NOW);
      run();
    },
  };
}

export function refusalOf(said: () => void): unknown {
  try {
    said();
  } catch (error) {
    return refusalIn(error);
  }
  return undefined;
}

export const mandateIn = (requested: PartRequest | undefined) =>
  requested?.part === 'agreement' ? requested.input.mandate : undefined;
