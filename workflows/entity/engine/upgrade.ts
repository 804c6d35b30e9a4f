// The only place that knows what older releases carried from run to run. A run begins on the current release and may have been
// begun by any older one, so each change to what a workflow carries adds one upgrade here, and nothing else asks what is old.

/** What goes from run to run as plain JSON, and how many upgrades it has had. */
export interface Carried<State> {
  shape: number;
  state: State;
}

/** Makes out of one shape the next. It is given the states of all workflows, and leaves alone what it does not concern. */
export type Upgrade = <State extends object>(state: State) => State;

/** Never reordered, and nothing is taken out: a run may have rested for years. */
const UPGRADES: readonly Upgrade[] = [];

export function carrying(upgrades: readonly Upgrade[]) {
  const shape = upgrades.length;
  return {
    carry: <State extends object>(state: State): Carried<State> => ({ shape, state }),
    /** Throws for what a newer release carried: the task is tried again until a worker of that release takes it. */
    upgrade: <State extends object>(carried: Carried<State>): State => {
      if (carried.shape > shape)
        throw new Error(
          `expected a state of shape ${shape} or older; a newer release carried ${carried.shape}`,
        );
      return upgrades.slice(carried.shape).reduce((state, next) => next(state), carried.state);
    },
  };
}

export const { carry, upgrade } = carrying(UPGRADES);

/** What the run before has left, or else what the first one begins with. */
export const restoreState = <State extends object>(
  carried: Carried<State> | undefined,
  begin: () => State,
): State => (carried === undefined ? begin() : upgrade(carried));
