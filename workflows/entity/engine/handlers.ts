// What may be sent to a workflow, as a value: how each message is judged before it is taken, and what taking it changes. Handlers
// only record; the loop (reconcile.ts) decides what is done. Production and tests in virtual time run the same table.
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { Instant } from '../../../domain/facts/fact.js';
import type { StateStore } from './reconcile.js';
import type { Runtime } from './runtime.js';

/** A contract's messages by name. Each has one argument at most. */
export type Messages = Readonly<Record<string, Message>>;
type Message =
  SignalDefinition<unknown[]> | UpdateDefinition<unknown, unknown[]> | QueryDefinition<unknown, unknown[]>;

/** A signal or an update. */
export interface MessageHandler<State, Arg, Answer> {
  /** Refuses an update by throwing an ApplicationFailure: nothing of it is written then. */
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

/** Takes a message by a change of the state alone. */
export const updateState = <State, Arg>(by: (state: State, arg: Arg, now: Instant) => State) => ({
  handle: ({ update }: StateStore<State>, { now }: Pick<Runtime, 'now'>, arg: Arg): void => {
    update((state) => by(state, arg, now()));
  },
});

/** A table whose names and arguments the compiler has matched already, for those that go through it by name. */
export type AnyHandlers<State> = Readonly<
  Record<string, MessageHandler<State, unknown, unknown> & QueryHandler<State, unknown, unknown>>
>;

/** The connection has consent again: what was blocked for want of it goes on. */
export const unblock = <State extends { blocked?: unknown }>(state: State): State => ({
  ...state,
  blocked: undefined,
});
