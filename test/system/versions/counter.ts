// A story of two releases, for versions.test.ts: it rests for years, counts what it is sent, and hands over. All but what it counts
// is the code that ships: the loop, its runtime on Temporal, the listening and the hand-over.
// In:  first.ts and second.ts, each the workflow code of one release.
import { defineQuery, defineSignal, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import { cellOf, follow } from '../../../workflows/entity/loop.js';
import { published } from '../../../workflows/entity/publish.js';
import {
  continueOnCurrentRelease,
  listenForHandOver,
  temporalRuntime,
} from '../../../workflows/entity/temporal.js';
import { carrying } from '../../../workflows/entity/upgrade.js';
import type { Awaiting } from '../../../domain/legible.js';
import type { Story } from '../../../workflows/entity/loop.js';
import type { Carried, Upgrade } from '../../../workflows/entity/upgrade.js';

interface State {
  count: number;
  /** Only the second release counts signals. */
  signals?: number;
  isOver: boolean;
  awaiting: Awaiting;
}
export interface View extends Pick<State, 'count' | 'signals'> {
  release: string;
}
export interface CounterInput {
  carried?: Carried<State>;
  child?: string;
}
type Step = { do: 'rest' } | { do: 'look_up' };

export const add = defineSignal<[number]>('add');
export const end = defineSignal('end');
export const addNow = defineUpdate<string, [number]>('addNow');
export const view = defineQuery<View>('view');

const { act } = proxyActivities<{ act(): Promise<string> }>({ startToCloseTimeout: '1 minute' });

const THOUSAND_DAYS_MS = 1000 * 86_400_000;

/** What a resting run has under way: a deadline in years, and a call that is tried again and again. */
const COUNTER: Story<State, Step> = {
  rules: {
    rest: {
      lane: 'clock',
      awaiting: 'nothing',
      run: (_step, _read, { sleep }) => sleep(THOUSAND_DAYS_MS, 'until it is due'),
      done: (state) => ({ ...state, isOver: true }),
    },
    look_up: {
      lane: 'learn',
      awaiting: 'nothing',
      run: (_step, _read, { call }) => call.lookUpAgreement({ uid: 'counter', connectionId: 'acme' }),
    },
  },
  wants: ({ isOver }) => (isOver ? [] : [{ do: 'rest' }, { do: 'look_up' }]),
  isOver: ({ isOver }) => isOver,
  publish: ({ awaiting }) => published({ title: 'Counter', awaiting, attention: [], known: [], own: [] }),
};

export function counterOf(release: string, upgrades: readonly Upgrade[]) {
  const { carry, upgrade } = carrying(upgrades);
  return async function counter({ carried, child }: CounterInput): Promise<View> {
    const runtime = temporalRuntime();
    const awaiting: Awaiting = { what: 'nothing', since: runtime.now() };
    const cell = cellOf(upgrade(carried ?? { shape: 0, state: { count: 0, isOver: false, awaiting } }));
    const { read, change } = cell;
    const viewOf = ({ count, signals }: State): View => ({
      count,
      ...(signals !== undefined && { signals }),
      release,
    });
    listenForHandOver(cell);
    setHandler(end, () => {
      change((state) => ({ ...state, isOver: true }));
    });
    setHandler(view, () => viewOf(read()));
    setHandler(add, (by) => {
      change((state) => counted(state, by));
    });
    setHandler(addNow, (by) => (change((state) => counted(state, by)), act()), {
      validator: (by) => {
        if (by < 0) throw new Error('expected a number above 0');
      },
    });
    if (child !== undefined && carried === undefined)
      await runtime.startChild({
        workflow: 'counter',
        workflowId: child,
        input: {},
        summary: 'another counter',
        attributes: [],
      });
    if ((await follow(COUNTER, cell, runtime)) === 'continue')
      return continueOnCurrentRelease<typeof counter>({ carried: carry(read()) });
    return viewOf(read());
  };
}

const counted = (state: State, by: number): State => ({
  ...state,
  count: state.count + by,
  ...(state.signals !== undefined && { signals: state.signals + 1 }),
});
