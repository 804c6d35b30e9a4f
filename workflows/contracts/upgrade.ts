// Upgrades the state that older releases carried from run to run. A run may start on the current release with state from any older one. Each change
// of a carried state adds one upgrade to this file. No other code knows older shapes.

/** The state that a run hands to the next one, as plain JSON, and its number of upgrades. */
export interface Carried<State> {
  shape: number;
  state: State;
}

/** The result of a run of a resource: for a reader, which one it is and how it ended; for a later run, the state. The view follows from that. */
export interface ResourceEnd<State> {
  uid: string;
  connectionId?: string | undefined;
  /** As in the view. */
  state: string;
  carried: Carried<State>;
}

/** Converts a state from one shape to the next. It receives the states of all workflows and must leave the others unchanged. */
export type Upgrade = <State extends object>(state: State) => State;

/** Append only: never reorder or remove an upgrade. A run may have been idle for years. */
const UPGRADES: readonly Upgrade[] = [];

export function carrying(upgrades: readonly Upgrade[]) {
  const shape = upgrades.length;
  return {
    carry: <State extends object>(state: State): Carried<State> => ({ shape, state }),
    /** Throws if a newer release carried the state. Temporal retries the task until a worker of that release takes it. */
    upgrade: <State extends object>(carried: Carried<State>): State => {
      if (carried.shape > shape)
        throw new Error(
          `a newer release carried state of shape ${carried.shape}; this release supports shape ${shape} or older`,
        );
      return upgrades.slice(carried.shape).reduce((state, next) => next(state), carried.state);
    },
  };
}

export const { carry, upgrade } = carrying(UPGRADES);

/** The state of the previous run, or the initial state if there is none. */
export const restoreState = <State extends object>(
  carried: Carried<State> | undefined,
  begin: () => State,
): State => (carried === undefined ? begin() : upgrade(carried));
