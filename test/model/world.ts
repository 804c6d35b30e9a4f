// One agreement with everything around it: the provider, the network, the workflow, and what must hold all along.
import { stateOf } from '../../workflows/agreement/state.js';
import { createAgenda } from '../support/agenda.js';
import { factOf } from './calls.js';
import { createDriver } from './driver.js';
import { createNetwork } from './network.js';
import { FIRST_AMOUNT, createProvider, isFinal } from './provider.js';
import type { ActionRequest } from '../../domain/action.js';
import type { Mandate } from '../../domain/mandate.js';
import type { State } from '../../workflows/agreement/state.js';
import type { Agenda } from '../support/agenda.js';
import type { Driver } from './driver.js';
import type { Network } from './network.js';
import type { Habits, Provider, ProviderEvent, Shown } from './provider-interface.js';

export interface Setup extends Habits {
  /** `found`: it was made at the provider without us. `orphan`: the provider tells of it and does not know it. */
  beginsAs: 'ours' | 'found' | 'orphan';
  /** The payer accepts first of all: most of what can happen happens after that. */
  isAccepted: boolean;
  /** Whether webhooks are vouched for by their bytes, or by a password alone (docs/provider.md#webhooks). */
  isSigned: boolean;
  /** Our clock less the provider's. */
  skewMs: number;
  validForDays: number | undefined;
  /** What becomes of webhooks that are still on their way at the end. */
  late: 'lose' | 'deliver';
}

export interface World {
  setup: Setup;
  agenda: Agenda;
  provider: Provider;
  network: Network;
  driver: Driver;
  mandate: Mandate;
  /** Every command that was let through, with its key. */
  asked: Map<string, ActionRequest>;
  /** Ids that arrived by webhook while their time was remembered. */
  arrived: Set<string>;
  /** What happened, by name: how often. */
  seen: Map<string, number>;
  /** Whether any reading was old. */
  hadLag: boolean;
  /** Whether it ended without its last look, as there was no consent to make it. */
  endedUnasked: boolean;
  /** Whether a command arrived at the provider once more after its outcome had been told. */
  hadStraggler: boolean;
}

/** 2026-10-01 in the morning, UTC; Sydney puts its clocks forward three days later. */
const BEGIN_MS = Date.UTC(2026, 9, 1, 3);
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * 60 * 1000;
export const UID = 'agr-model';

export function createWorld(setup: Setup): World {
  const agenda = createAgenda(BEGIN_MS);
  const seen = new Map<string, number>();
  const arrived = new Set<string>();
  const localNow = (): string => new Date(agenda.nowMs() + setup.skewMs).toISOString();
  const network = createNetwork(agenda, (event) => {
    if (!isOfForgottenTime(driver.state(), event)) arrived.add(event.id);
    driver.receive(
      factOf(event, { receivedAt: localNow(), source: 'webhook', authenticated: setup.isSigned }),
    );
    knowsAllOf(driver.state(), [event]);
  });
  const provider = createProvider(agenda, setup, (event) => {
    note(seen, event.type);
    network.push(event);
  });
  const mandate = mandateOf(setup);
  const termsOf = ({ maxAmount }: Shown): Mandate => ({
    ...mandate,
    payment_terms: { max_amount: maxAmount },
  });
  const caller = { uid: UID, provider, network, localNow, termsOf };
  const driver = createDriver(caller, agenda, {
    changed: (before, after) => {
      assertTrue(world, before, after);
    },
    passed: (before, after) => {
      note(seen, 'deadline passed');
      if (stateOf(before) !== stateOf(after)) throw new Error('a deadline decided something');
      askedSoon(world);
    },
    straggled: (isOvertaken) => {
      if (isOvertaken)
        throw new Error('a command that was cancelled arrived after the next one had been sent');
      note(seen, 'straggled');
      world.hadStraggler = true;
    },
    ended: ({ blocked, isLookUpDue }) => {
      if (blocked === undefined || !isLookUpDue) return;
      note(seen, 'ended without its last look');
      world.endedUnasked = true;
    },
  });
  const asked = new Map<string, ActionRequest>();
  const parts = { setup, agenda, provider, network, driver, mandate };
  const world: World = {
    ...parts,
    asked,
    arrived,
    seen,
    hadLag: false,
    endedUnasked: false,
    hadStraggler: false,
  };
  return world;
}

export const note = (seen: Map<string, number>, name: string): void =>
  void seen.set(name, (seen.get(name) ?? 0) + 1);

function mandateOf({ validForDays, cancelsUnresolvedInMs }: Setup): Mandate {
  const at = (ms: number): string => new Date(BEGIN_MS + ms).toISOString();
  return {
    description: 'Plan 77',
    payment_terms: { max_amount: FIRST_AMOUNT },
    ...(validForDays === undefined ? {} : { validity_end_date: at(validForDays * DAY_MS).slice(0, 10) }),
    ...(cancelsUnresolvedInMs === undefined
      ? {}
      : { resolution_requested_before: at(cancelsUnresolvedInMs), cancel_if_unresolved: true }),
  };
}

/** Kept in full, as one of the older ones, or of a time of which no more is known than what it came to. */
export function knownIn({ facts, forgottenBefore, olderIds }: State): (event: ProviderEvent) => boolean {
  const ids = new Set([...olderIds, ...facts.map(({ id }) => id)]);
  return (event) => ids.has(event.id) || isOfForgottenTime({ forgottenBefore }, event);
}

const isOfForgottenTime = (
  state: Pick<State, 'forgottenBefore'> | undefined,
  { publishedAtMs }: ProviderEvent,
): boolean => publishedAtMs <= Date.parse(state?.forgottenBefore ?? '1970-01-01');

function knowsAllOf(state: State | undefined, events: readonly ProviderEvent[]): void {
  const isKnown = state === undefined ? () => false : knownIn(state);
  const lost = events.find((event) => !isKnown(event));
  if (lost !== undefined) throw new Error(`${lost.id} was received and is not kept`);
}

/** Nothing raises authority, or takes it, that was not true at the provider; and what is over stays over. */
function assertTrue(world: World, before: State | undefined, after: State): void {
  const { provider, seen, setup } = world;
  const state = stateOf(after);
  const isPlannedRefusal = state === 'failed' && setup.refusesCreation;
  const isOfNothing = setup.beginsAs === 'orphan';
  if (state !== 'pending' && !isPlannedRefusal && !isOfNothing && !provider.everIn(state))
    throw new Error(`${state} was never so`);
  const left = before === undefined ? undefined : stateOf(before);
  if (left !== undefined && left !== state && isFinal(left)) throw new Error(`left ${left}, which is final`);
  if (left !== state) note(seen, `is ${state}`);
  if (
    !world.hadLag &&
    !isMixed(setup) &&
    knowsAll(world, after) &&
    !isSilent(provider) &&
    provider.agreement()?.state !== state
  )
    throw new Error(`every event is known, and yet we have ${state}`);
}

/** One event told to the millisecond and the next one to the second: which came first is settled by looks alone. */
const isMixed = ({ publishesToMs, historyToMs }: Setup): boolean => publishesToMs < historyToMs;

/** Whether every event is known, and vouched for: in whatever order they came, and however often. */
function knowsAll({ provider }: World, { facts, olderIds }: State): boolean {
  const known = new Set([
    ...olderIds,
    ...facts.filter(({ authenticated }) => authenticated).map(({ id }) => id),
  ]);
  return provider.history().every(({ id }) => known.has(id));
}

/** These states are entered without an event. */
const isSilent = (provider: Provider): boolean =>
  ['pending', 'created', undefined].includes(provider.agreement()?.state);

/** After a deadline the provider is asked at once, unless consent is missing or a command is on its way, which goes first. */
function askedSoon({ agenda, driver, network }: World): void {
  const sentBefore = network.sent();
  agenda.after(MINUTE_MS, () => {
    const state = driver.state();
    const isSending = state?.actions.some((action) => action.isSending) === true;
    const mayAsk = !driver.isOver() && state?.blocked === undefined && !isSending;
    if (mayAsk && network.sent() === sentBefore) throw new Error('a deadline passed, and nobody was asked');
  });
}

/** The first things that happen, before anything goes wrong. */
export async function begin({ setup, driver, provider, agenda, mandate }: World): Promise<void> {
  if (setup.beginsAs === 'ours') await driver.start(mandate);
  if (setup.beginsAs === 'found') provider.create();
  if (setup.beginsAs === 'orphan') {
    const event = { id: 'e-orphan', type: 'activated', publishedAtMs: agenda.nowMs() };
    const receivedAt = new Date(agenda.nowMs()).toISOString();
    driver.receive(factOf(event, { receivedAt, source: 'webhook', authenticated: setup.isSigned }));
  }
  await agenda.settle();
  if (!setup.isAccepted) return;
  await agenda.pass(setup.registersInMs + SECOND_MS);
  if (provider.canPayer('accept')) provider.payer('accept');
}
