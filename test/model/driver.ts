// The agreement's workflow without Temporal: the shipped story, handlers and loop, over the model's calls and its virtual time.
import { HANDLERS } from '../../workflows/agreement/handlers.js';
import { answered, carriedOver, newAgreement } from '../../workflows/agreement/state.js';
import { AGREEMENT } from '../../workflows/agreement/steps.js';
import { attentionOf } from '../../workflows/entity/state.js';
import { createLife } from '../support/virtual-life.js';
import { createVirtualRuntime } from '../support/virtual-runtime.js';
import { answersOf } from './calls.js';
import type { ActionRequest } from '../../domain/action.js';
import type { Fact } from '../../domain/fact.js';
import type { AttentionCode } from '../../domain/legible.js';
import type { Mandate } from '../../domain/mandate.js';
import type { State } from '../../workflows/agreement/state.js';
import type { Taking } from '../../workflows/entity/handlers.js';
import type { Run } from '../support/virtual-life.js';
import type { Agenda } from '../support/agenda.js';
import type { Caller } from './calls.js';

export interface Driver {
  /** Nothing before an agreement is started, by us or by what the provider publishes of it. */
  state(): State | undefined;
  isOver(): boolean;
  /** Starts it as a caller does. */
  start(mandate: Mandate): Promise<void>;
  /** A notification; it starts an agreement that is unknown here, and takes one up again that is over. */
  receive(fact: Fact): void;
  /** The sweep saw a difference; what is unknown here is adopted. */
  differs(): Promise<void>;
  /** @throws what the workflow's validators throw. */
  ask(request: ActionRequest): Promise<void>;
  lookUpNow(): Promise<void>;
  resolve(code: AttentionCode): Promise<void>;
  restored(): Promise<void>;
  /** The run has grown long: a fresh one takes over as soon as it may. */
  handOver(): Promise<void>;
}

/** What is seen of it while it runs, by a test that wants to check. */
export interface Watcher {
  changed(before: State | undefined, after: State): void;
  passed(before: State, after: State): void;
  ended(last: State): void;
  /**
   * A command has arrived that had been cancelled, since its outcome was received before its answer came.
   * @param isOvertaken the next one has been sent.
   */
  straggled(isOvertaken: boolean): void;
}

export function createDriver(caller: Caller, agenda: Agenda, watcher: Watcher): Driver {
  const { uid, localNow } = caller;
  let state: State | undefined;
  let resolutions = 0;

  const begun = (): State => {
    if (state === undefined) throw new Error('expected an agreement that has been started');
    return state;
  };
  let changes = 0;
  const become = (next: State): void => {
    const before = state;
    changes += 1;
    state = frozen(next);
    if (before === next) return;
    watcher.changed(before, next);
    if (before !== undefined && next.passed.length > before.passed.length) watcher.passed(before, next);
  };
  const sending = (): string | undefined => state?.actions.find(({ isSending }) => isSending)?.key;
  const calls = answersOf(caller, {
    key: () => {
      const key = sending();
      if (key === undefined) throw new Error('expected a command that is on its way');
      return key;
    },
    arrived: (isCancelled) => {
      if (isCancelled) watcher.straggled(sending() !== undefined);
    },
  });
  const life = createLife({
    story: AGREEMENT,
    cell: {
      read: begun,
      change: (by) => {
        become(by(begun()));
      },
      changes: () => changes,
    },
    createRuntime: () => createVirtualRuntime({ now: localNow, after: agenda.after }, calls),
    carriedOver: (left) => overJson(carriedOver(left)),
    ended: () => {
      watcher.ended(begun());
      become({ ...answered(begun()), blocked: undefined });
    },
  });
  const { settle } = life;
  const start = (initial: State, take?: (run: Run<State>) => void): void => {
    become(initial);
    life.begin(take);
  };
  agenda.settleBy(settle);
  const send = async <Arg, Answer>(handler: Taking<State, Arg, Answer>, arg: Arg): Promise<void> => {
    handler.assert?.(begun(), arg, localNow());
    const run = life.run();
    if (run !== undefined) await handler.take(run.cell, run.runtime, arg);
    await settle();
  };
  const adopting = (): State => newAgreement({ uid, connectionId: 'acme' }, localNow());
  /** Signal-with-start (delivery/deliver.ts): what ended as unknown has nothing that is worth taking up. */
  const reach = <Arg>(handler: Taking<State, Arg, void>, arg: Arg): void => {
    const take = ({ cell, runtime }: Run<State>): void => void handler.take(cell, runtime, arg);
    const run = life.run();
    if (run !== undefined) return take(run);
    start(state === undefined || state.submission.stage === 'unknown' ? adopting() : overJson(state), take);
  };
  return {
    state: () => state,
    isOver: () => state !== undefined && life.run() === undefined,
    start: async (mandate) => {
      start(newAgreement({ uid, connectionId: 'acme', mandate }, localNow()));
      await settle();
    },
    receive: (fact) => {
      reach(HANDLERS.agreementFact, fact);
    },
    differs: async () => {
      reach(HANDLERS.agreementDiffers, undefined);
      await settle();
    },
    ask: (request) => send(HANDLERS.requestAction, request),
    lookUpNow: () => send(HANDLERS.lookUpNow, undefined),
    resolve: (code) => {
      resolutions += 1;
      const by = { key: `resolution-${resolutions}`, code, reason: 'seen to', by: 'ops' };
      return send(HANDLERS.resolveAttention, by);
    },
    restored: () => send(HANDLERS.connectionRestored, undefined),
    handOver: life.handOver,
  };
}

export const flagsOf = (state: State): AttentionCode[] => attentionOf(state).map(({ code }) => code);

/** What continue-as-new makes of it: what is not plain JSON is lost. */
function overJson(state: State): State {
  const read: unknown = JSON.parse(JSON.stringify(state));
  if (!isStateOf(state.uid, read)) throw new Error('expected a state to come back from JSON');
  return read;
}

const isStateOf = (uid: string, value: unknown): value is State =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'uid') === uid;

/** A state that anything which alters it in place breaks on. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
}
