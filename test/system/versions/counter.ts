// A workflow of two releases, for versions.test.ts: it rests for years, counts what it is sent, and hands over.
// In:  first.ts and second.ts, each the workflow code of one release.
import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  makeContinueAsNewFunc,
  proxyActivities,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { handOver } from '../../../workflows/entity/contract.js';
import { carrying } from '../../../workflows/entity/upgrade.js';
import type { Carried, Upgrade } from '../../../workflows/entity/upgrade.js';

export interface State {
  count: number;
  /** Only the second release counts signals. */
  signals?: number;
}
export interface View extends State {
  release: string;
}
export interface CounterInput {
  carried?: Carried<State>;
  child?: string;
}

export const add = defineSignal<[number]>('add');
export const end = defineSignal('end');
export const addNow = defineUpdate<string, [number]>('addNow');
export const view = defineQuery<View>('view');

const { act, watch } = proxyActivities<{ act(): Promise<string>; watch(): Promise<void> }>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 hour', backoffCoefficient: 100, maximumInterval: '1000 days' },
});

export function counterOf(release: string, upgrades: readonly Upgrade[]) {
  const { carry, upgrade } = carrying(upgrades);
  return async function counter({ carried, child }: CounterInput): Promise<View> {
    let state: State = carried === undefined ? upgrade(carryNothing()) : upgrade(carried);
    let isOver = false;
    setHandler(handOver, () => undefined);
    setHandler(end, () => void (isOver = true));
    setHandler(view, () => ({ ...state, release }));
    setHandler(add, (by) => void (state = counted(state, by)));
    setHandler(addNow, (by) => ((state = counted(state, by)), act()), {
      validator: (by) => {
        if (by < 0) throw new Error('expected a number above 0');
      },
    });
    if (child !== undefined && carried === undefined)
      await startChild('counter', { workflowId: child, args: [{}], parentClosePolicy: 'ABANDON' });
    // What a resting run has under way: a deadline in years, and a call that is tried again and again.
    const isDue = sleep('1000 days').then(() => true);
    void watch().catch(() => undefined);
    void isDue.then(() => (isOver = true));

    await condition(() => isOver || workflowInfo().targetWorkerDeploymentVersionChanged);
    await condition(allHandlersFinished);
    if (isOver) return { ...state, release };
    return makeContinueAsNewFunc<typeof counter>({ initialVersioningBehavior: 'AUTO_UPGRADE' })({
      carried: carry(state),
    });
  };
}

const carryNothing = (): Carried<State> => ({ shape: 0, state: { count: 0 } });

const counted = (state: State, by: number): State => ({
  ...state,
  count: state.count + by,
  ...(state.signals === undefined ? {} : { signals: state.signals + 1 }),
});
