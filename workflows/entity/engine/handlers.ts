// What may be sent to a workflow, as a value: how each message is judged before it is taken, and what taking it changes. Handlers
// only record; the loop (loop.ts) decides what is done. Production and tests in virtual time run the same table.
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import type { Instant } from '../../../domain/facts/fact.js';
import type { Cell } from './reconcile.js';
import type { Runtime } from './runtime.js';

/** A contract's messages by name. Each has one argument at most. */
export type Messages = Readonly<Record<string, Message>>;
type Message =
  SignalDefinition<unknown[]> | UpdateDefinition<unknown, unknown[]> | QueryDefinition<unknown, unknown[]>;

/** A signal or an update. */
export interface Taking<State, Arg, Answer> {
  /** Refuses an update by throwing an ApplicationFailure: nothing of it is written then. */
  assert?: (state: State, arg: Arg, now: Instant) => void;
  take: (cell: Cell<State>, runtime: Runtime, arg: Arg) => Answer | Promise<Answer>;
}
/** A query. */
export interface Reading<State, Arg, Answer> {
  read: (state: State, arg: Arg) => Answer;
}

export type HandlerOf<State, Given> =
  Given extends UpdateDefinition<infer Answer, infer Args>
    ? Taking<State, Args[0], Answer>
    : Given extends SignalDefinition<infer Args>
      ? Taking<State, Args[0], void>
      : Given extends QueryDefinition<infer Answer, infer Args>
        ? Reading<State, Args[0], Answer>
        : never;
export type Handlers<State, Sent> = { readonly [Name in keyof Sent]: HandlerOf<State, Sent[Name]> };

/** Takes a message by a change of the state alone. */
export const changing = <State, Arg>(by: (state: State, arg: Arg, now: Instant) => State) => ({
  take: ({ change }: Cell<State>, { now }: Pick<Runtime, 'now'>, arg: Arg): void => {
    change((state) => by(state, arg, now()));
  },
});

/** A table whose names and arguments the compiler has matched already, for those that go through it by name. */
export type AnyHandlers<State> = Readonly<
  Record<string, Taking<State, unknown, unknown> & Reading<State, unknown, unknown>>
>;

/** The connection has consent again: what was blocked for want of it goes on. */
export const unblocked = <State extends { blocked?: unknown }>(state: State): State => ({
  ...state,
  blocked: undefined,
});
