// The handlers of a workflow's signals, updates and queries, as a table. A handler only updates the state. The loop (reconcile.ts) decides what to
// do. Production and the tests in virtual time use the same table.
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from './reconcile.js';
import type { Runtime } from './runtime.js';

/** The messages of a contract, by name. Each has at most one argument. */
export type Messages = Readonly<Record<string, Message>>;
type Message =
  SignalDefinition<unknown[]> | UpdateDefinition<unknown, unknown[]> | QueryDefinition<unknown, unknown[]>;

/** A signal or an update. */
export interface MessageHandler<State, Arg, Answer> {
  /** Refuses an update by throwing an ApplicationFailure. Temporal then writes nothing to the history. */
  validate?: (state: State, arg: Arg, now: Instant) => void;
  handle: (cell: StateStore<State>, runtime: Runtime, arg: Arg) => Answer | Promise<Answer>;
}
/** A query. */
export interface QueryHandler<State, Arg, Answer> {
  read: (state: State, arg: Arg) => Answer;
}

export type HandlerOf<State, Given> =
  Given extends UpdateDefinition<infer Answer, infer Args>
    ? MessageHandler<State, Args[0], Answer>
    : Given extends SignalDefinition<infer Args>
      ? MessageHandler<State, Args[0], void>
      : Given extends QueryDefinition<infer Answer, infer Args>
        ? QueryHandler<State, Args[0], Answer>
        : never;
export type Handlers<State, Sent> = { readonly [Name in keyof Sent]: HandlerOf<State, Sent[Name]> };

/** A handler that only updates the state. */
export const updateState = <State, Arg>(by: (state: State, arg: Arg, now: Instant) => State) => ({
  handle: ({ update }: StateStore<State>, { now }: Pick<Runtime, 'now'>, arg: Arg): void => {
    update((state) => by(state, arg, now()));
  },
});

/**
 * The answer of another run, or undefined once our own run is leaving. A handler that waits would keep it from continuing as new: no step would
 * start until the other run answers.
 */
export async function unlessLeaving<T>(
  store: Pick<StateStore<unknown>, 'isLeaving'>,
  until: Runtime['until'],
  work: Promise<T>,
): Promise<T | undefined> {
  let isAnswered = false;
  const answer = work.finally(() => (isAnswered = true));
  // If the run leaves first, no one awaits the answer.
  answer.catch(() => undefined);
  await until(() => isAnswered || store.isLeaving === true);
  return isAnswered ? answer : undefined;
}

/** A handler table without its types, for code that looks handlers up by name. The compiler has already checked names and arguments. */
export type AnyHandlers<State> = Readonly<
  Record<string, MessageHandler<State, unknown, unknown> & QueryHandler<State, unknown, unknown>>
>;

/** The connection has consent again: unblocks the workflow. */
export const unblock = <State extends { blocked?: unknown }>(state: State): State => ({
  ...state,
  blocked: undefined,
});
