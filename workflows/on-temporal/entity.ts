// Runs the workflow of a resource with the engine's loop.
import {
  CancellationScope,
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import { goneInWords, type RememberedRow } from '../../domain/records/remembered.js';
import { raise, type Attention } from '../../domain/attention/flags.js';
import { READS_FIRST, getRecord, handOver, raiseFlag, recordsAway } from '../contracts/every-workflow.js';
import { fullBatch } from '../engine/recording.js';
import {
  createStateStore,
  reconcile,
  type Awaited,
  type EntityDefinition,
  type RunEnd,
  type StateStore,
} from '../engine/reconcile.js';
import {
  updateState,
  type AnyHandlers,
  type Handlers,
  type MessageHandler,
  type Messages,
} from '../engine/handlers.js';
import { refused } from '../engine/refusal.js';
import { RUNTIME, callsIn, now } from './run.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { ApplicationFailure } from '@temporalio/common';
import type { AnyStep } from '../engine/step.js';

/** The page of such a run. */
export const READING = 'Reads what the records (PostgreSQL) have of it, before anything else.';

export interface EntityRun<State extends Awaited, Step extends AnyStep, Sent extends Messages> {
  definition: EntityDefinition<State, Step>;
  /** The messages of the contract, and their handlers. */
  messages: Sent;
  handlers: Handlers<State, Sent>;
  /** Creates the initial state: new, or restored from the previous run. */
  begin: (now: Instant) => State;
  /** Records a "Request Cancellation" of Temporal's UI. It cancels nothing. */
  cancelRequested?: (state: State, now: Instant) => State;
}

/** The thing of a run without a state, which an event or a command has started. */
interface Remembering<State> {
  uid: string;
  /** The state from which the run continues. */
  restore: (row: RememberedRow, of: { now: Instant; firstRunId: string }) => State;
}

/** What the handlers share. Messages wait until one of them exists, also while the database is away: Temporal stores them. */
interface Beginning<State> {
  store?: StateStore<State>;
  /** Its records have expired, or were erased. */
  gone?: { error: ApplicationFailure; keep: (fact: Fact) => Promise<void> };
}

/**
 * Runs one run of a workflow. Everything runs in a non-cancellable scope, because Temporal's cancellation would abandon a payment or a grant in
 * flight. Also, the SDK keeps each `condition` in memory while its scope can be cancelled.
 * @returns the last state, and whether the workflow should continue as new.
 */
export function runEntity<State extends Awaited, Step extends AnyStep, Sent extends Messages>(
  run: EntityRun<State, Step, Sent>,
): Promise<RunEnd<State>> {
  const shield = new CancellationScope({ cancellable: false });
  const store = createStateStore(run.begin(now()), run.definition.record, RUNTIME);
  registerHandlers(run, { store }, shield);
  return shield.run(() => reconcile(run.definition, store, RUNTIME));
}

/**
 * As `runEntity`, but reads the record first, and waits while the database is away: Temporal may have forgotten an earlier run. Without a record it
 * begins as new.
 * @throws ApplicationFailure `gone` if its record is gone. Its events are then stored for an operator.
 */
export function rememberEntity<State extends Awaited, Step extends AnyStep, Sent extends Messages>(
  run: EntityRun<State, Step, Sent>,
  { uid, restore }: Remembering<State>,
): Promise<RunEnd<State>> {
  const { definition, begin } = run;
  const { resource } = definition.record;
  const shield = new CancellationScope({ cancellable: false });
  const beginning: Beginning<State> = {};
  registerHandlers(run, beginning, shield);
  return shield.run(async () => {
    setCurrentDetails(READING);
    const { readRecord, keepGone } = callsIn(shield);
    const found = await readRecord({ resource, uid });
    if (found?.is === 'gone') {
      const { why, since } = found;
      const error = refused('gone', goneInWords(`this ${resource}`, found));
      beginning.gone = { error, keep: (fact) => keepGone({ resource, uid, why, since, fact }) };
      await condition(allHandlersFinished);
      throw error;
    }
    const state =
      found === undefined ? begin(now()) : restore(found, { now: now(), firstRunId: RUNTIME.firstRunId() });
    const store = createStateStore(state, definition.record, RUNTIME);
    beginning.store = store;
    return reconcile(definition, store, RUNTIME);
  });
}

/** Registers all handlers. They only update the state. */
function registerHandlers<State extends Awaited, Sent extends Messages>(
  { definition, messages, handlers, cancelRequested }: Omit<EntityRun<State, AnyStep, Sent>, 'begin'>,
  beginning: Beginning<State>,
  shield: CancellationScope,
): void {
  if (cancelRequested !== undefined)
    CancellationScope.current().cancelRequested.catch(() => {
      beginning.store?.update((state) => cancelRequested(state, now()));
    });
  // An empty update wakes the loop, which then checks for a newer worker release.
  setHandler(handOver, () => beginning.store?.update((state) => state));
  setHandler(recordsAway, (stored) => beginning.store?.recorder.recordsAway(stored));
  setHandler(raiseFlag, (flag) =>
    receive({ handler: raising<State>(), isFact: false }, beginning, shield, flag),
  );
  setHandler(getRecord, () => {
    const { read, recorder } = storeOf(beginning);
    return fullBatch(definition.record, read(), recorder.recording(), { now: now(), runId: RUNTIME.runId() });
  });
  const table = handlers as unknown as AnyHandlers<State>;
  for (const [name, message] of Object.entries(messages)) {
    const { [name]: handler } = table;
    if (handler === undefined)
      throw new Error(`no handler for ${name}; expected one for each message of the contract`);
    const isFact = name === 'fact';
    if (message.type === 'query')
      setHandler(message, (...[arg]: unknown[]) => handler.read(storeOf(beginning).read(), arg));
    else if (message.type === 'signal')
      setHandler(message, (arg: unknown) => receive({ handler, isFact }, beginning, shield, arg));
    else
      setHandler(message, (...[arg]: unknown[]) => shield.run(() => carryOut(handler, beginning, arg)), {
        validator: (...[arg]: unknown[]) => {
          const { store } = beginning;
          if (store !== undefined) handler.validate?.(store.read(), arg, now());
        },
      });
  }
}

/** For queries. @throws Error before the store exists. The caller then repeats the query. */
function storeOf<State>({ store }: Beginning<State>): StateStore<State> {
  if (store === undefined) throw new Error(READS_FIRST);
  return store;
}

type AnyHandler<State> = MessageHandler<State, unknown, unknown>;

const raising = <State extends Awaited>(): AnyHandler<State> =>
  updateState((state, flag) => ({ ...state, attention: raise(state.attention, flag as Attention) }));

/** Handles a signal: at once, so that its effect does not depend on the order of promises, unless the run reads its record. */
function receive<State>(
  of: { handler: AnyHandler<State>; isFact: boolean },
  beginning: Beginning<State>,
  shield: CancellationScope,
  arg: unknown,
): Promise<void> | undefined {
  const { store } = beginning;
  if (store === undefined) return shield.run(() => receiveLater(of, beginning, arg));
  void of.handler.handle(store, RUNTIME, arg);
  return undefined;
}

async function receiveLater<State>(
  { handler, isFact }: { handler: AnyHandler<State>; isFact: boolean },
  beginning: Beginning<State>,
  arg: unknown,
): Promise<void> {
  await condition(() => isReady(beginning));
  const { store, gone } = beginning;
  if (store !== undefined) await handler.handle(store, RUNTIME, arg);
  else if (isFact) await gone?.keep(arg as Fact);
}

/** @throws ApplicationFailure of the validator, or `gone`. */
async function carryOut<State>(
  handler: AnyHandler<State>,
  beginning: Beginning<State>,
  arg: unknown,
): Promise<unknown> {
  const { store: ready } = beginning;
  if (ready !== undefined) return handler.handle(ready, RUNTIME, arg);
  await condition(() => isReady(beginning));
  if (beginning.gone !== undefined) throw beginning.gone.error;
  const store = storeOf(beginning);
  handler.validate?.(store.read(), arg, now());
  return handler.handle(store, RUNTIME, arg);
}

const isReady = <State>({ store, gone }: Beginning<State>): boolean =>
  store !== undefined || gone !== undefined;
